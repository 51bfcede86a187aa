/* valgrind.h: what is not memcheck.h's of the same folder */
#ifndef PDS_TEST_VALGRIND_H
#define PDS_TEST_VALGRIND_H

#define VALGRIND_COUNT_ERRORS	0
#define VALGRIND_PRINTF(...)	0

#endif
