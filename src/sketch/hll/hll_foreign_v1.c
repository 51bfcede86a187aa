/*
 * hll_foreign_v1.c: postgresql-hll, storage specification v1.0.0
 *
 *     0     0x10 | type           0 UNDEFINED, 1 EMPTY, 2 EXPLICIT, 3 SPARSE, 4 FULL
 *     1     regwidth - 1 (high three bits), log2m (low five)
 *     2     0, sparseon (1 bit), expthresh (6 bits)
 *     3..   UNDEFINED, EMPTY: nothing
 *           EXPLICIT: hashes, 8 bytes each, big-endian, ascending as signed numbers
 *           SPARSE: words of log2m + regwidth bits, index and value of those
 *               registers that are not 0, ascending
 *           FULL: all registers, regwidth bits each
 *
 * Words fill each byte from its highest bit on; the last byte is filled up with zeros.  A
 * register's value is the same as in the native family (hll.h), with one exception: if the rest
 * of the hash is all zeros, no register changes there.
 */
#include "hll_foreign.h"

#define HEAD_BYTES	3

/* ---------- words, from the highest bit of each byte on ---------- */

static inline uint32_t
load_word(const uint8_t *data, size_t index, int bits)
{
	size_t		bit = index * (size_t) bits;
	uint64_t	v = 0;

	/* bytes from the one that it begins in to the one that it ends in */
	for (size_t i = bit / 8; i <= (bit + (size_t) bits - 1) / 8; i++)
		v = v << 8 | data[i];
	v >>= 7 - (bit + (size_t) bits - 1) % 8;
	return (uint32_t) (v & ((UINT64_C(1) << bits) - 1));
}

/* Into bytes that are 0 where it goes. */
static inline void
store_word(uint8_t *data, size_t index, int bits, uint32_t word)
{
	size_t		bit = index * (size_t) bits;
	size_t		last = (bit + (size_t) bits - 1) / 8;
	uint64_t	v = (uint64_t) word << (7 - (bit + (size_t) bits - 1) % 8);

	for (size_t i = last + 1; i-- > bit / 8; v >>= 8)
		data[i] |= (uint8_t) (v & 0xff);
}

/* Is what follows so many bits zero, and less than a byte? */
static bool
is_padded(const uint8_t *data, size_t len, size_t bits)
{
	if (bits > 8 * len || 8 * len - bits >= 8)
		return false;
	return bits % 8 == 0 || (data[bits / 8] & (0xff >> bits % 8)) == 0;
}

/* ---------- reading ---------- */

uint64_t
pds_hll_v1_hash(const pds_hll_v1 *s, size_t i)
{
	return __builtin_bswap64(pds_load_le64(s->data + 8 * i));
}

static pds_status
check_explicit(const pds_hll_v1 *s, const char **why)
{
	/* signed numbers, ordered as unsigned ones */
	const uint64_t sign = UINT64_C(1) << 63;

	if (s->data_len % 8 != 0)
		PDS_REFUSE(why, "Its list of hashes is cut off.");
	for (size_t i = 1; i < pds_hll_v1_hashes(s); i++)
		if ((pds_hll_v1_hash(s, i - 1) ^ sign) >= (pds_hll_v1_hash(s, i) ^ sign))
			PDS_REFUSE(why, "Its hashes are not in ascending order.");
	return PDS_OK;
}

pds_status
pds_hll_v1_open(pds_hll_v1 *s, const uint8_t *bytes, size_t len, const char **why)
{
	if (len < HEAD_BYTES)
		PDS_REFUSE(why, "It is shorter than a header.");
	if (bytes[0] >> 4 != 1)
		PDS_REFUSE(why, "Its schema version is not 1.");
	s->type = bytes[0] & 0x0f;
	s->form.regwidth = (uint8_t) ((bytes[1] >> 5) + 1);
	s->form.log2m = bytes[1] & 0x1f;
	s->form.expthresh = bytes[2] & 0x3f;
	s->form.sparseon = (bytes[2] & 0x40) != 0;
	s->data = bytes + HEAD_BYTES;
	s->data_len = len - HEAD_BYTES;
	if ((bytes[2] & 0x80) != 0)
		PDS_REFUSE(why, "A bit of its header that is always 0 is set.");

	switch (s->type)
	{
		case PDS_HLL_V1_UNDEFINED:
		case PDS_HLL_V1_EMPTY:
			if (s->data_len != 0)
				PDS_REFUSE(why, "There are bytes after its end.");
			return PDS_OK;
		case PDS_HLL_V1_EXPLICIT:
			return check_explicit(s, why);
		case PDS_HLL_V1_SPARSE:
			return PDS_OK;
		case PDS_HLL_V1_FULL:
			if (s->data_len != ((UINT64_C(1) << s->form.log2m) * s->form.regwidth + 7) / 8)
				PDS_REFUSE(why, "Its length is not what its registers take.");
			return PDS_OK;
		default:
			PDS_REFUSE(why, "It is of no known type.");
	}
}

/* The largest value that registers of this width hold. */
static inline uint32_t
largest_value(const pds_hll_v1_form *form)
{
	return (UINT32_C(1) << form->regwidth) - 1;
}

static pds_status
read_sparse(const pds_hll_v1 *s, uint8_t *registers, const char **why)
{
	int			bits = s->form.log2m + s->form.regwidth;
	size_t		words = 8 * s->data_len / (size_t) bits;
	uint32_t	next = 0;

	/* words of less than a byte: the padding looks like one more */
	if (words > 0 && bits < 8 && load_word(s->data, words - 1, bits) == 0)
		words--;
	if (!is_padded(s->data, s->data_len, words * (size_t) bits))
		PDS_REFUSE(why, "There are bits after its end.");
	for (size_t i = 0; i < words; i++)
	{
		uint32_t	word = load_word(s->data, i, bits);
		uint32_t	index = word >> s->form.regwidth;
		uint32_t	value = word & largest_value(&s->form);

		if (index < next || value == 0)
			PDS_REFUSE(why, "Its registers are not in ascending order, or empty.");
		registers[index] = (uint8_t) value;
		next = index + 1;
	}
	return PDS_OK;
}

pds_status
pds_hll_v1_registers(const pds_hll_v1 *s, uint8_t *registers, uint32_t *full,
					 const char **why)
{
	int			p = s->form.log2m;
	uint32_t	m = pds_hll_registers(p);
	uint32_t	largest = largest_value(&s->form);
	uint32_t	most = (uint32_t) pds_hll_max_rank(p);

	*full = 0;
	if (s->type == PDS_HLL_V1_SPARSE)
	{
		pds_status	status;

		memset(registers, 0, m);
		status = read_sparse(s, registers, why);
		if (status != PDS_OK)
			return status;
	}
	else
	{
		if (!is_padded(s->data, s->data_len, (size_t) m * s->form.regwidth))
			PDS_REFUSE(why, "There are bits after its end.");
		for (uint32_t i = 0; i < m; i++)
			registers[i] = (uint8_t) load_word(s->data, i, s->form.regwidth);
	}
	for (uint32_t i = 0; i < m; i++)
	{
		if (registers[i] > most)
			PDS_REFUSE(why, "A register's value is out of range.");
		*full += largest < most && registers[i] == largest;
	}
	return PDS_OK;
}

/* ---------- writing ---------- */

size_t
pds_hll_v1_write(const uint8_t *registers, const pds_hll_v1_form *form, uint8_t *out)
{
	uint32_t	m = pds_hll_registers(form->log2m);
	uint32_t	largest = largest_value(form);
	int			bits = form->log2m + form->regwidth;
	size_t		full_bits = (size_t) m * form->regwidth;
	size_t		sparse_bits = 0;
	size_t		words = 0;
	bool		sparse;

	for (uint32_t i = 0; i < m; i++)
		sparse_bits += registers[i] != 0 ? (size_t) bits : 0;

	/*
	 * As postgresql-hll decides it; but not where its reader would take the
	 * padding for one more word, which says that register 0 is empty, and it is not.
	 */
	sparse = form->sparseon && sparse_bits < full_bits &&
		(registers[0] == 0 || (8 - sparse_bits % 8) % 8 < (size_t) bits);

	out[1] = (uint8_t) ((form->regwidth - 1) << 5 | form->log2m);
	out[2] = (uint8_t) ((form->sparseon ? 0x40 : 0) | form->expthresh);
	if (sparse_bits == 0)
	{
		out[0] = 0x10 | PDS_HLL_V1_EMPTY;
		return HEAD_BYTES;
	}
	out[0] = 0x10 | (sparse ? PDS_HLL_V1_SPARSE : PDS_HLL_V1_FULL);
	memset(out + HEAD_BYTES, 0, ((sparse ? sparse_bits : full_bits) + 7) / 8);
	for (uint32_t i = 0; i < m; i++)
	{
		uint32_t	value = registers[i] < largest ? registers[i] : largest;

		if (!sparse)
			store_word(out + HEAD_BYTES, i, form->regwidth, value);
		else if (value != 0)
			store_word(out + HEAD_BYTES, words++, bits, i << form->regwidth | value);
	}
	return HEAD_BYTES + ((sparse ? sparse_bits : full_bits) + 7) / 8;
}
