/*
 * memcheck.h: what PostgreSQL tells valgrind about its memory, told to
 * AddressSanitizer
 *
 * PostgreSQL built with -DUSE_VALGRIND includes <valgrind/memcheck.h>, finds this file, and
 * says at every palloc and pfree what may be accessed.  So a read past a palloc'd chunk is
 * found as one past a malloc'd one is.  AddressSanitizer does not know which memory is
 * initialized.
 */
#ifndef PDS_TEST_MEMCHECK_H
#define PDS_TEST_MEMCHECK_H

#include <sanitizer/asan_interface.h>

#include "valgrind/valgrind.h"

#define VALGRIND_MAKE_MEM_NOACCESS(addr, size)	ASAN_POISON_MEMORY_REGION(addr, size)
#define VALGRIND_MAKE_MEM_UNDEFINED(addr, size)	ASAN_UNPOISON_MEMORY_REGION(addr, size)
#define VALGRIND_MAKE_MEM_DEFINED(addr, size)	ASAN_UNPOISON_MEMORY_REGION(addr, size)
#define VALGRIND_CHECK_MEM_IS_DEFINED(addr, size)	((void) (addr), (void) (size), 0)
#define VALGRIND_CREATE_MEMPOOL(pool, redzone, zeroed)	((void) (pool))
#define VALGRIND_DESTROY_MEMPOOL(pool)			((void) (pool))
#define VALGRIND_MEMPOOL_ALLOC(pool, addr, size)	ASAN_UNPOISON_MEMORY_REGION(addr, size)
/* pfree wipes a chunk and says then that it is not to be accessed */
#define VALGRIND_MEMPOOL_FREE(pool, addr)		((void) (addr))
#define VALGRIND_MEMPOOL_CHANGE(pool, from, to, size)	ASAN_UNPOISON_MEMORY_REGION(to, size)

#endif
