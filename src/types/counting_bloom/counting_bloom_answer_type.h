/*
 * counting_bloom_answer_type.h: what a counting filter tells about itself
 */
#ifndef PDS_TYPES_COUNTING_BLOOM_COUNTING_BLOOM_ANSWER_TYPE_H
#define PDS_TYPES_COUNTING_BLOOM_COUNTING_BLOOM_ANSWER_TYPE_H

#include "postgres.h"

#include "sketch.h"

/* PdsSketchType.health */
extern void pds_counting_bloom_health(const void *view, PdsHealth *h);

#endif
