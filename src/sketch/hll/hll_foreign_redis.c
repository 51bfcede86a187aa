/*
 * hll_foreign_redis.c: the HyperLogLog strings of Redis
 *
 *     0     "HYLL"
 *     4     encoding              0 dense, 1 sparse
 *     5     0 0 0
 *     8     cached number of values, 8 bytes, little-endian; out of date if the
 *           highest bit of byte 15 is set
 *     16..  the registers
 *
 * There are 2^14 of them.  Dense: 6 bits each, from the lowest bit of each byte
 * on.  Sparse: runs of registers, until there are 2^14,
 *
 *     00xxxxxx            x + 1 of value 0
 *     01xxxxxx yyyyyyyy   256 x + y + 1 of value 0
 *     1vvvvvxx            x + 1 of value v + 1
 */
#include "hll_foreign.h"

#define HEAD_BYTES		16
#define REGISTERS		(UINT32_C(1) << PDS_HLL_REDIS_PRECISION)

#define MAX_ZERO		64
#define MAX_LONG_ZERO	16384
#define MAX_RUN			4
#define MAX_RUN_VALUE	32

/* hll-sparse-max-bytes of an untouched redis.conf */
#define MAX_SPARSE		3000

static pds_status
read_dense(uint8_t *registers, const uint8_t *data, size_t len, const char **why)
{
	pds_bit_reader r;

	if (len != 6 * REGISTERS / 8)
		PDS_REFUSE(why, "Its length is not what its registers take.");
	pds_bits_from(&r, data, len);
	for (uint32_t i = 0; i < REGISTERS; i++)
		registers[i] = (uint8_t) pds_bits_get(&r, 6);
	return PDS_OK;
}

static pds_status
read_sparse(uint8_t *registers, const uint8_t *data, size_t len, const char **why)
{
	uint32_t	filled = 0;

	for (size_t at = 0; at < len; at++)
	{
		uint8_t		op = data[at];
		uint8_t		value = 0;
		uint32_t	run;

		if (op & 0x80)
		{
			value = (uint8_t) ((op >> 2 & 31) + 1);
			run = (op & 3u) + 1;
		}
		else if (op & 0x40)
		{
			if (++at == len)
				PDS_REFUSE(why, "It ends within a run of registers.");
			run = ((op & 63u) << 8 | data[at]) + 1;
		}
		else
			run = op + 1u;
		if (run > REGISTERS - filled)
			PDS_REFUSE(why, "It has more registers than there are.");
		memset(registers + filled, value, run);
		filled += run;
	}
	if (filled != REGISTERS)
		PDS_REFUSE(why, "It ends before its last register.");
	return PDS_OK;
}

pds_status
pds_hll_redis_read(uint8_t *registers, const uint8_t *bytes, size_t len,
				   const char **why)
{
	pds_status	status;

	if (len < HEAD_BYTES || memcmp(bytes, "HYLL", 4) != 0)
		PDS_REFUSE(why, "It does not begin as the HyperLogLog strings of Redis do.");
	if (bytes[4] > 1)
		PDS_REFUSE(why, "Its encoding is neither dense nor sparse.");
	if (bytes[5] != 0 || bytes[6] != 0 || bytes[7] != 0)
		PDS_REFUSE(why, "Bytes of its header that are always 0 are not.");
	status = (bytes[4] == 0 ? read_dense : read_sparse)
		(registers, bytes + HEAD_BYTES, len - HEAD_BYTES, why);
	if (status != PDS_OK)
		return status;
	for (uint32_t i = 0; i < REGISTERS; i++)
		if (registers[i] > pds_hll_max_rank(PDS_HLL_REDIS_PRECISION))
			PDS_REFUSE(why, "A register's value is out of range.");
	return PDS_OK;
}

/* The runs, up to "most" bytes of them; 0 if they take more or cannot be written. */
static size_t
write_sparse(const uint8_t *registers, uint8_t *out, size_t most)
{
	size_t		at = 0;
	uint32_t	run;

	for (uint32_t i = 0; i < REGISTERS; i += run)
	{
		uint8_t		value = registers[i];
		uint32_t	longest = value == 0 ? MAX_LONG_ZERO : MAX_RUN;

		if (value > MAX_RUN_VALUE || at + 2 > most)
			return 0;
		for (run = 1; run < longest && i + run < REGISTERS; run++)
			if (registers[i + run] != value)
				break;
		if (value != 0)
			out[at++] = (uint8_t) (0x80 | (value - 1) << 2 | (run - 1));
		else if (run <= MAX_ZERO)
			out[at++] = (uint8_t) (run - 1);
		else
		{
			out[at++] = (uint8_t) (0x40 | (run - 1) >> 8);
			out[at++] = (uint8_t) ((run - 1) & 0xff);
		}
	}
	return at;
}

size_t
pds_hll_redis_write(const uint8_t *registers, uint8_t *out)
{
	pds_bit_writer w;
	size_t		len;

	memcpy(out, "HYLL", 4);
	memset(out + 4, 0, HEAD_BYTES - 4);
	out[15] = 0x80;
	len = write_sparse(registers, out + HEAD_BYTES, MAX_SPARSE - HEAD_BYTES);
	out[4] = len > 0;
	if (len > 0)
		return HEAD_BYTES + len;

	pds_bits_open(&w, out + HEAD_BYTES);
	for (uint32_t i = 0; i < REGISTERS; i++)
		pds_bits_put(&w, registers[i], 6);
	return HEAD_BYTES + pds_bits_close(&w);
}
