/*
 * approximate_count.h: count(DISTINCT x) as approx_count_distinct(x), by a setting
 */
#ifndef PDS_PLANNER_APPROXIMATE_COUNT_H
#define PDS_PLANNER_APPROXIMATE_COUNT_H

/* Define the settings, and take the hooks of the planner and of utility statements. */
extern void pds_approximate_count_init(void);

#endif
