/*
 * hll_foreign.h: the sketches of other systems, byte layouts and hashes
 *
 * All three are arrays of registers in the end, and here they become arrays of
 * one byte a register, and back.  Each file draws its layout.
 *
 *   hll_foreign.c                adding values as the others do
 *   hll_foreign_v1.c             postgresql-hll: storage specification v1.0.0, which
 *                                it shares with java-hll.  Registers are native.
 *   hll_foreign_redis.c          Redis: the HYLL strings of PFADD
 *   hll_foreign_datasketches.c   Apache DataSketches: the HLL sketch, serial version 1
 *
 * Readers take any bytes.  They answer PDS_CORRUPT with a sentence in *why for what
 * the other system cannot have written.
 */
#ifndef PDS_SKETCH_HLL_HLL_FOREIGN_H
#define PDS_SKETCH_HLL_HLL_FOREIGN_H

#include "murmur3.h"
#include "hll.h"

/* ---------- hashing ---------- */

#define PDS_HLL_REDIS_SEED			UINT64_C(0xadc83b19)
#define PDS_HLL_DATASKETCHES_SEED	UINT64_C(9001)

/*
 * Add a value by its canonical bytes (doc/hashing.md) to a sketch of another
 * family than the native one, as the system does that the family is named after.
 */
extern void pds_hll_add_bytes(pds_hll_build *b, const void *bytes, size_t len);

/* ---------- postgresql-hll ---------- */

#define PDS_HLL_V1_UNDEFINED	0
#define PDS_HLL_V1_EMPTY		1
#define PDS_HLL_V1_EXPLICIT		2
#define PDS_HLL_V1_SPARSE		3
#define PDS_HLL_V1_FULL			4

/* The parameters that postgresql-hll keeps in every sketch. */
typedef struct pds_hll_v1_form
{
	uint8_t		log2m;			/* precision, 0 to 31 */
	uint8_t		regwidth;		/* bits of a register, 1 to 8 */
	uint8_t		expthresh;		/* as stored: 63 automatic, 0 none, else
								 * log2(hashes kept) + 1 */
	bool		sparseon;
} pds_hll_v1_form;

/* A sketch of postgresql-hll, read in place. */
typedef struct pds_hll_v1
{
	uint8_t		type;
	pds_hll_v1_form form;
	const uint8_t *data;
	size_t		data_len;
} pds_hll_v1;

/*
 * Do the bytes begin as a sketch of postgresql-hll does, and not as one of ours?  Both have the
 * version, 1, in a half of the first byte.  Ours has the number of its type, 1, in the other one,
 * and so has EMPTY.  But EMPTY ends with the second byte's parameters and the third, and ours
 * never does.  Three bytes whose second one can be our family and encoding are one of ours that was
 * cut off.
 */
static inline bool
pds_hll_begins_as_v1(const uint8_t *bytes, size_t len)
{
	if (len < 3 || bytes[0] < 0x10 || bytes[0] > 0x14)
		return false;
	if (bytes[0] != pds_header_byte0(PDS_TYPE_HLL))
		return true;
	return len == 3 && (bytes[1] >> 4 >= PDS_HLL_FAMILIES || (bytes[1] & 0x0f) > PDS_HLL_DENSE);
}

/* Read the head; EXPLICIT sketches are checked in full. */
extern pds_status pds_hll_v1_open(pds_hll_v1 *s, const uint8_t *bytes, size_t len,
								  const char **why);

/* An EXPLICIT sketch's hashes. */
static inline size_t
pds_hll_v1_hashes(const pds_hll_v1 *s)
{
	return s->data_len / 8;
}

extern uint64_t pds_hll_v1_hash(const pds_hll_v1 *s, size_t i);

/*
 * A SPARSE or FULL sketch's 2^log2m registers, log2m 4 to 18. *full is the number of registers
 * that hold the largest value of their width, if larger ranks exist.  Such registers may have
 * seen a larger rank than they could store.
 */
extern pds_status pds_hll_v1_registers(const pds_hll_v1 *s, uint8_t *registers,
									   uint32_t *full, const char **why);

/* The most bytes that pds_hll_v1_write() takes. */
static inline size_t
pds_hll_v1_bound(const pds_hll_v1_form *form)
{
	return 3 + ((size_t) form->regwidth * pds_hll_registers(form->log2m) + 7) / 8;
}

/*
 * Write registers as postgresql-hll would: EMPTY, SPARSE or FULL.  What its width
 * does not hold is cut to the largest value, as its own are.  Returns the length.
 */
extern size_t pds_hll_v1_write(const uint8_t *registers, const pds_hll_v1_form *form,
							   uint8_t *out);

/* ---------- Redis ---------- */

#define PDS_HLL_REDIS_BOUND		(16 + 6 * (1 << PDS_HLL_REDIS_PRECISION) / 8)

/* The 2^14 registers of a HYLL string of either encoding. */
extern pds_status pds_hll_redis_read(uint8_t *registers, const uint8_t *bytes,
									 size_t len, const char **why);

/*
 * Write them, in the sparse encoding where Redis keeps that with its default
 * settings, up to 3,000 bytes.  The cached number of values is marked as out of
 * date.  At most PDS_HLL_REDIS_BOUND bytes; returns the length.
 */
extern size_t pds_hll_redis_write(const uint8_t *registers, uint8_t *out);

/* ---------- Apache DataSketches ---------- */

#define PDS_HLL_DATASKETCHES_MAX_LG_K	21

/* A DataSketches sketch, read in place. */
typedef struct pds_hll_datasketches
{
	uint8_t		mode;			/* 0 list of coupons, 1 set of them, 2 registers */
	uint8_t		width;			/* bits of a register: 4, 6 or 8 */
	uint8_t		lg_k;			/* precision, 4 to 21 */
	uint8_t		least;			/* 4 bits: what 0 stands for */
	uint32_t	coupons;		/* or, with 4 bits, exceptions */
	const uint8_t *data;
	size_t		data_len;
} pds_hll_datasketches;

extern pds_status pds_hll_datasketches_open(pds_hll_datasketches *s,
											const uint8_t *bytes, size_t len,
											const char **why);

/* Its 2^lg_k registers. */
extern pds_status pds_hll_datasketches_registers(const pds_hll_datasketches *s,
												 uint8_t *registers,
												 const char **why);

/* The most bytes that pds_hll_datasketches_write() takes. */
static inline size_t
pds_hll_datasketches_bound(int lg_k)
{
	return 40 + (size_t) pds_hll_registers(lg_k);
}

/*
 * Write registers as an HLL_8 in its compact form, which says that the order in
 * which it saw its values is lost.  Returns the length.
 */
extern size_t pds_hll_datasketches_write(const uint8_t *registers, int lg_k,
										 uint8_t *out);

#endif
