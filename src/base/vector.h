/*
 * vector.h: loops for the instructions that this CPU has
 *
 * A library is built for the least CPU of its architecture.  On x86-64 that is SSE2, and ARM64
 * and others have but one set of vector instructions that matters here.  So only x86-64 has
 * more than one path, and which one is taken is decided when the first of them is called:
 *
 *     plain    C for the least CPU of the architecture, on all of them
 *     v3       x86-64-v3: AVX2, BMI, BMI2 and POPCNT; Intel since 2013, AMD since 2015
 *     v4       AVX-512 with VBMI, VBMI2 and VPOPCNTDQ; Intel since 2019, AMD since 2022
 *
 * All paths of a function make the same bytes, and test/unit/vector_test.c compares them.  A
 * path is worth its code only where a query gains by it.  Where the compiler makes a better
 * loop of the same C when it may use newer instructions, PDS_PATHS compiles it for each.
 */
#ifndef PDS_BASE_VECTOR_H
#define PDS_BASE_VECTOR_H

#if defined(__x86_64__) && defined(__LP64__) && \
	(defined(__clang__) ? __clang_major__ >= 7 : defined(__GNUC__) && __GNUC__ >= 8)
#define PDS_VECTOR_X86 1
#define PDS_V3	__attribute__((target("avx2,bmi,bmi2,popcnt")))
#define PDS_V4	__attribute__((target("avx2,bmi,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl," \
									  "avx512vbmi,avx512vbmi2,avx512vpopcntdq")))
#endif

typedef enum pds_path
{
	PDS_PATH_UNKNOWN,			/* not asked yet */
	PDS_PATH_PLAIN,
	PDS_PATH_V3,
	PDS_PATH_V4
} pds_path;

/* The path that is taken; use pds_vector_path(). */
extern pds_path pds_path_taken;

/* Find out the highest path that this CPU and its operating system can take, and take it. */
extern pds_path pds_vector_find_path(void);

/*
 * For tests: take this path from now on, or the highest one below it that the CPU has.  Returns
 * which one it is.
 */
extern pds_path pds_vector_take_path(pds_path path);

static inline pds_path
pds_vector_path(void)
{
	pds_path	path = pds_path_taken;

	return __builtin_expect(path != PDS_PATH_UNKNOWN, 1) ? path : pds_vector_find_path();
}

/*
 * Compile a function once for each path.  It is written as name_body(path, ...), where "path" is
 * a constant in each of the copies: what only one of them does is behind an "if" of it.
 *
 *     PDS_BODY type name_body(pds_path path, params) { ... }
 *     PDS_PATHS(type, name, (params), args)
 *
 * defines name(params), which calls the copy for the path that is taken.
 */
#define PDS_BODY	static inline __attribute__((always_inline))

#ifdef PDS_VECTOR_X86
/*
 * The upper halves of the vector registers have to be cleared at the end, because SSE code is
 * several times slower until somebody does.  Compilers see to it, but GCC 12 forgets it where the
 * last call was one of a static function that does not use them.
 */
#define PDS_PATH_COPY(target, suffix, path, type, name, params, ...) \
	target static type name##suffix params \
	{ \
		type result = name##_body(path, __VA_ARGS__); \
		__builtin_ia32_vzeroupper(); \
		return result; \
	}
#define PDS_PATHS(type, name, params, ...) \
	static type name##_plain params { return name##_body(PDS_PATH_PLAIN, __VA_ARGS__); } \
	PDS_PATH_COPY(PDS_V3, _v3, PDS_PATH_V3, type, name, params, __VA_ARGS__) \
	PDS_PATH_COPY(PDS_V4, _v4, PDS_PATH_V4, type, name, params, __VA_ARGS__) \
	static inline type name params \
	{ \
		switch (pds_vector_path()) \
		{ \
			case PDS_PATH_V4: return name##_v4(__VA_ARGS__); \
			case PDS_PATH_V3: return name##_v3(__VA_ARGS__); \
			default: return name##_plain(__VA_ARGS__); \
		} \
	}
#else
#define PDS_PATHS(type, name, params, ...) \
	static type name##_plain params { return name##_body(PDS_PATH_PLAIN, __VA_ARGS__); } \
	static inline type name params { return name##_plain(__VA_ARGS__); }
#endif

#endif
