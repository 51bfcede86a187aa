/*
 * vector.c: which instructions this CPU has
 */
#include "vector.h"

pds_path	pds_path_taken = PDS_PATH_UNKNOWN;

static pds_path
highest_path(void)
{
#ifdef PDS_VECTOR_X86
	/* these look at what the operating system saves, too */
	__builtin_cpu_init();
	if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") ||
		!__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("popcnt"))
		return PDS_PATH_PLAIN;
	if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
		!__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl") ||
		!__builtin_cpu_supports("avx512vbmi") || !__builtin_cpu_supports("avx512vbmi2") ||
		!__builtin_cpu_supports("avx512vpopcntdq"))
		return PDS_PATH_V3;
	return PDS_PATH_V4;
#else
	return PDS_PATH_PLAIN;
#endif
}

pds_path
pds_vector_find_path(void)
{
	return pds_path_taken = highest_path();
}

pds_path
pds_vector_take_path(pds_path path)
{
	pds_path	highest = highest_path();

	return pds_path_taken = path < highest ? path : highest;
}
