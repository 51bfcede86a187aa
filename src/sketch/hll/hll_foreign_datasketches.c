/*
 * hll_foreign_datasketches.c: the HLL sketch of Apache DataSketches
 *
 * Serial version 1, numbers little-endian:
 *
 *     0     2, 3 or 10            for mode 0, 1 and 2: 4-byte words before the data
 *     1     1                     serial version
 *     2     7                     "family" of sketches
 *     3     lg k                  precision, 4 to 21
 *     4     lg of a table's size  not needed to read it
 *     5     flags                 4 empty, 8 compact, 16 out of order, 32 either full
 *                                 size or "counts are to be made anew"
 *     6     mode 0: number of coupons; mode 2: least value of a register
 *     7     mode 0 list, 1 set, 2 registers (low two bits); 0, 1, 2 for registers of
 *           4, 6 and 8 bits (next two)
 *
 *     list: from 8 on coupons.  Set: 4 bytes, their number, then coupons.  A coupon
 *     is 4 bytes, rank << 26 | low 26 bits of h1.
 *
 *     registers:
 *     8     3 doubles             of its estimators
 *     32    4 bytes               number of registers with the least value
 *     36    4 bytes               number of exceptions
 *     40    8 bits: a byte each.  6 bits: from the lowest bit of each byte on, and one
 *           byte more.  4 bits: value less the least one, or 15 for an exception, even
 *           ones in the low half of a byte; then the exceptions as coupons, with the
 *           register's index in place of h1's bits.
 *
 * A compact sketch has just so many coupons; in others they are a table with zeros
 * for its free places.  The estimators' numbers are made for the order in which
 * values came, and may be out of date: they are not read.
 */
#include "hll_foreign.h"
#include "hll_registers.h"

#define LIST			0
#define SET				1
#define REGISTERS		2

#define FLAG_ORDER		3		/* written by nobody: big-endian, read-only */
#define FLAG_EMPTY		4
#define FLAG_COMPACT	8
#define FLAG_OUT_OF_ORDER	16
#define FLAG_UNKNOWN	(128 | 64 | FLAG_ORDER)

#define COUPON_BITS		26
#define EXCEPTION		15

/* A set of coupons is not worth its while below this. */
#define MIN_SET_LG_K	8

/* The registers of HLL_8 stand here. */
#define ARRAY_START		40

/* ---------- reading ---------- */

/* Bytes of the array of registers. */
static size_t
array_bytes(const pds_hll_datasketches *s)
{
	size_t		k = pds_hll_registers(s->lg_k);

	return s->width == 8 ? k : s->width == 6 ? k / 4 * 3 + 1 : k / 2;
}

/* Is there space for the coupons, from "start" of the data to its end? */
static pds_status
check_length(pds_hll_datasketches *s, size_t start, bool compact, const char **why)
{
	size_t		entries;

	if (s->data_len < start || (s->data_len - start) % 4 != 0)
		PDS_REFUSE(why, "Its length does not go with what it holds.");
	entries = (s->data_len - start) / 4;
	if (compact ? entries != s->coupons : entries < s->coupons)
		PDS_REFUSE(why, "Its length does not go with what it holds.");
	return PDS_OK;
}

pds_status
pds_hll_datasketches_open(pds_hll_datasketches *s, const uint8_t *bytes, size_t len,
						  const char **why)
{
	static const uint8_t words[] = {2, 3, 10};
	static const uint8_t widths[] = {4, 6, 8};
	uint8_t		flags;
	bool		compact;

	if (len < 8)
		PDS_REFUSE(why, "It is shorter than a header.");
	if (bytes[1] != 1 || bytes[2] != 7)
		PDS_REFUSE(why, "It is no HLL sketch of serial version 1.");
	s->mode = bytes[7] & 3;
	flags = bytes[5];
	compact = (flags & FLAG_COMPACT) != 0;
	if (s->mode > REGISTERS || bytes[7] >> 2 > 2 || bytes[0] != words[s->mode] ||
		(flags & FLAG_UNKNOWN) != 0)
		PDS_REFUSE(why, "Its header makes no sense.");
	s->width = widths[bytes[7] >> 2];
	s->lg_k = bytes[3];
	s->least = 0;
	if (s->lg_k < PDS_HLL_MIN_PRECISION || s->lg_k > PDS_HLL_DATASKETCHES_MAX_LG_K)
		PDS_REFUSE(why, "Its lg k is not within 4 to 21.");
	if (len < 4 * (size_t) bytes[0])
		PDS_REFUSE(why, "It is shorter than its header.");
	s->data = bytes + 4 * (size_t) bytes[0];
	s->data_len = len - 4 * (size_t) bytes[0];

	if (s->mode == REGISTERS)
	{
		s->coupons = pds_load_le32(bytes + 36);
		if (s->width == 4)
		{
			s->least = bytes[6];
			return check_length(s, array_bytes(s), compact, why);
		}
		if (s->coupons != 0 || s->data_len != array_bytes(s))
			PDS_REFUSE(why, "Its length does not go with what it holds.");
		return PDS_OK;
	}
	s->coupons = s->mode == LIST ? bytes[6] : pds_load_le32(bytes + 8);
	if (s->mode == SET && s->lg_k < MIN_SET_LG_K)
		PDS_REFUSE(why, "Its header makes no sense.");
	if ((flags & FLAG_EMPTY) != 0 && s->coupons != 0)
		PDS_REFUSE(why, "It says to be empty and is not.");
	return check_length(s, 0, compact, why);
}

static pds_status
read_coupons(const pds_hll_datasketches *s, uint8_t *registers, const char **why)
{
	uint32_t	found = 0;

	memset(registers, 0, pds_hll_registers(s->lg_k));
	for (size_t at = 0; at < s->data_len; at += 4)
	{
		uint32_t	coupon = pds_load_le32(s->data + at);
		uint8_t		rank = (uint8_t) (coupon >> COUPON_BITS);

		if (coupon == 0)
			continue;
		if (rank == 0)
			PDS_REFUSE(why, "One of its coupons is without a value.");
		pds_hll_registers_fold(registers, s->lg_k,
							   coupon & ((UINT32_C(1) << COUPON_BITS) - 1),
							   rank, COUPON_BITS, PDS_HLL_DATASKETCHES);
		found++;
	}
	if (found != s->coupons)
		PDS_REFUSE(why, "It has not as many coupons as it says.");
	return PDS_OK;
}

/* What four bits cannot tell stands after them. */
static pds_status
read_exceptions(const pds_hll_datasketches *s, uint8_t *registers, const char **why)
{
	uint32_t	k = pds_hll_registers(s->lg_k);
	uint32_t	found = 0;

	for (size_t at = array_bytes(s); at < s->data_len; at += 4)
	{
		uint32_t	coupon = pds_load_le32(s->data + at);
		uint32_t	index = coupon & ((UINT32_C(1) << COUPON_BITS) - 1);
		uint8_t		value = (uint8_t) (coupon >> COUPON_BITS);

		if (coupon == 0)
			continue;
		/* each once, in place of a 15 */
		if (index >= k || registers[index] != s->least + EXCEPTION ||
			value < s->least + EXCEPTION)
			PDS_REFUSE(why, "Its exceptions do not agree with its registers.");
		/* 64 and more: this one has been here */
		registers[index] = value | 64;
		found++;
	}
	if (found != s->coupons)
		PDS_REFUSE(why, "It has not as many exceptions as it says.");
	for (uint32_t i = 0; i < k; i++)
	{
		if ((s->data[i / 2] >> (i % 2 * 4) & 15) == EXCEPTION)
		{
			if ((registers[i] & 64) == 0)
				PDS_REFUSE(why, "It has not as many exceptions as it says.");
			registers[i] &= 63;
		}
	}
	return PDS_OK;
}

pds_status
pds_hll_datasketches_registers(const pds_hll_datasketches *s, uint8_t *registers,
							   const char **why)
{
	uint32_t	k = pds_hll_registers(s->lg_k);
	pds_bit_reader r;

	if (s->mode != REGISTERS)
		return read_coupons(s, registers, why);
	pds_bits_from(&r, s->data, array_bytes(s));
	for (uint32_t i = 0; i < k; i++)
	{
		uint32_t	value = s->least + pds_bits_get(&r, s->width);

		if (value > 63)
			PDS_REFUSE(why, "A register's value is out of range.");
		registers[i] = (uint8_t) value;
	}
	return s->width == 4 ? read_exceptions(s, registers, why) : PDS_OK;
}

/* ---------- writing ---------- */

size_t
pds_hll_datasketches_write(const uint8_t *registers, int lg_k, uint8_t *out)
{
	uint32_t	k = pds_hll_registers(lg_k);
	uint32_t	histogram[PDS_HLL_RANKS];
	double		sum[2] = {0, 0};

	pds_hll_registers_histogram(registers, lg_k, histogram);
	memset(out, 0, ARRAY_START);
	out[1] = 1;
	out[2] = 7;
	out[3] = (uint8_t) lg_k;
	if (histogram[0] == k)
	{
		out[0] = 2;
		out[4] = 3;
		out[5] = FLAG_EMPTY | FLAG_COMPACT;
		out[7] = 2 << 2 | LIST;
		return 8;
	}
	out[0] = 10;
	out[5] = FLAG_COMPACT | FLAG_OUT_OF_ORDER;
	out[7] = 2 << 2 | REGISTERS;

	/*
	 * The sums of 2^-value, apart for values below 32 and from there on.  Both
	 * are exact: multiples of 2^-31 below 2^19, of 2^-63 below 2^-13.
	 */
	for (int v = PDS_HLL_RANKS - 1; v >= 0; v--)
	{
		uint64_t	parts = (uint64_t) histogram[v] << (31 - (v & 31));

		sum[v >> 5] += (double) parts / (v < 32 ? 2147483648.0 : 9223372036854775808.0);
	}
	pds_store_le64(out + 16, pds_bits_of(sum[0]));
	pds_store_le64(out + 24, pds_bits_of(sum[1]));
	pds_store_le32(out + 32, histogram[0]);
	memcpy(out + ARRAY_START, registers, k);
	return ARRAY_START + (size_t) k;
}
