/*
 * vector_test.c: all paths of base/vector.h do the same
 *
 * Each path is compared with a plain loop that is written here.  A path that the CPU does not have
 * is passed over, with a word.  Buffers are as long as they need to be and at all addresses, so
 * that a load or a store beyond their ends is found.
 */
#include "test.h"

#include <stdlib.h>

#include "base64.h"
#include "bits.h"
#include "bloom_bits.h"
#include "hll.h"
#include "hll_registers.h"
#include "hll_tokens.h"
#include "vector.h"

static const char *const path_names[] = {"unknown", "plain", "v3", "v4"};

/* The next path that the CPU has, which is taken; false after the last one. */
static bool
next_path(int *path)
{
	static bool said[PDS_PATH_V4 + 1];

	while (++*path <= PDS_PATH_V4)
	{
		if (pds_vector_take_path((pds_path) *path) == (pds_path) *path)
			return true;
		if (!said[*path])
			printf("# not on this CPU: the path %s\n", path_names[*path]);
		said[*path] = true;
	}
	(void) pds_vector_find_path();
	return false;
}

#define EACH_PATH(path)	int path = PDS_PATH_UNKNOWN; next_path(&path);

/* len bytes that end where the memory does, "stray" bytes behind an address that malloc() gives */
static uint8_t *
exact(size_t len, size_t stray, uint8_t **memory)
{
	*memory = malloc(len + stray + 1);
	if (*memory == NULL)
		abort();
	return *memory + stray + 1;
}

TEST(a_path_that_is_not_there_is_not_taken)
{
	pds_path	highest = pds_vector_find_path();

	CHECK(highest >= PDS_PATH_PLAIN && highest <= PDS_PATH_V4);
	CHECK_U64(pds_vector_take_path(PDS_PATH_PLAIN), PDS_PATH_PLAIN);
	CHECK_U64(pds_vector_path(), PDS_PATH_PLAIN);
	CHECK_U64(pds_vector_take_path(PDS_PATH_V4), highest);
	CHECK_U64(pds_vector_path(), highest);
	pds_path_taken = PDS_PATH_UNKNOWN;
	CHECK_U64(pds_vector_path(), highest);
}

/* ---------- registers ---------- */

/* How registers are filled: as by so many values, or in ways that a stored value cannot rule out */
enum
{
	FEW, SOME, MANY, LOTS, ANY, ALIKE, TWO, WAYS
};

static void
fill_registers(uint8_t *r, int p, int way)
{
	uint32_t	m = pds_hll_registers(p);
	int			top = 65 - p;
	static const int shift[] = {-2, 1, 4, 20};

	for (uint32_t i = 0; i < m; i++)
	{
		uint64_t	x = test_random();

		if (way <= LOTS)
		{
			/* the highest rank of 2^shift values, roughly */
			int			rank = pds_ctz64(x | UINT64_C(1) << 63) + shift[way];

			r[i] = (uint8_t) (rank < 0 ? 0 : rank > top ? top : rank);
		}
		else if (way == ANY)
			r[i] = (uint8_t) (x % (uint64_t) (top + 1));
		else if (way == ALIKE)
			r[i] = 5;
		else
			r[i] = (uint8_t) (x % 2 == 0 ? 1 : top);
	}
}

/* "to" with the larger of each register, as a loop finds it */
static void
merge_slowly(uint8_t *to, int to_p, const uint8_t *from, int p)
{
	for (uint32_t i = 0; i < pds_hll_registers(p); i++)
		pds_hll_registers_fold(to, to_p, i, from[i], p, PDS_FAMILY_NATIVE);
}

static void
registers_are_the_same(int p, int way, size_t stray)
{
	uint32_t	m = pds_hll_registers(p);
	uint32_t	histogram[PDS_HLL_RANKS] = {0};
	uint8_t    *memory[4];
	uint8_t    *registers = exact(m, stray % 7, &memory[0]);
	uint8_t    *before = exact(m, 0, &memory[1]);
	uint8_t    *want = exact(m, 0, &memory[2]);
	uint8_t    *packed;
	pds_hll_packing pk;

	fill_registers(registers, p, way);
	for (uint32_t i = 0; i < m; i++)
		histogram[registers[i]]++;
	pk = pds_hll_packing_of(histogram, p);
	packed = exact(pk.bytes, stray, &memory[3]);
	pds_hll_registers_pack(registers, p, &pk, packed);

	for (int to_p = p; to_p >= 4 && to_p >= p - 1; to_p--)
	{
		fill_registers(before, to_p, (int) (test_random() % WAYS));
		memcpy(want, before, pds_hll_registers(to_p));
		merge_slowly(want, to_p, registers, p);

		EACH_PATH(path)
		do
		{
			uint32_t	counted[PDS_HLL_RANKS];
			uint8_t    *to_memory;
			uint8_t    *to = exact(pds_hll_registers(to_p), stray, &to_memory);

			memcpy(to, before, pds_hll_registers(to_p));
			CHECK_U64(pds_hll_registers_merge_packed(to, to_p, packed, &pk, p, PDS_FAMILY_NATIVE),
					  PDS_OK);
			CHECK_BYTES(to, want, pds_hll_registers(to_p));
			CHECK(pds_hll_registers_check_packed(packed, p, &pk, histogram));
			pds_hll_registers_histogram(registers, p, counted);
			CHECK_BYTES(counted, histogram, sizeof(counted));
			free(to_memory);
		} while (next_path(&path));
	}
	for (int i = 0; i < 4; i++)
		free(memory[i]);
}

TEST(registers_of_all_precisions)
{
	for (int p = 4; p <= 18; p++)
		for (int way = 0; way < WAYS; way++)
			registers_are_the_same(p, way, (size_t) (p * WAYS + way) % 64);
}

TEST(registers_at_all_addresses)
{
	for (size_t stray = 0; stray < 64; stray++)
		registers_are_the_same(10, stray % 2 == 0 ? MANY : ANY, stray);
}

TEST(damaged_registers_are_refused_by_all)
{
	enum
	{
		P = 11
	};
	uint32_t	m = pds_hll_registers(P);
	uint64_t	refused = 0;

	for (int round = 0; round < 500; round++)
	{
		uint8_t		registers[1 << P];
		uint32_t	histogram[PDS_HLL_RANKS];
		uint8_t    *memory;
		uint8_t    *packed;
		pds_hll_packing pk;
		pds_status	merged = PDS_OK;
		bool		valid = false;
		uint64_t	bit;

		fill_registers(registers, P, round % WAYS);
		pds_hll_registers_histogram(registers, P, histogram);
		pk = pds_hll_packing_of(histogram, P);
		packed = exact(pk.bytes, 0, &memory);
		pds_hll_registers_pack(registers, P, &pk, packed);
		bit = test_random() % (8 * pk.bytes);
		packed[bit / 8] ^= (uint8_t) (1 << bit % 8);
		/* or a head that says more or fewer than there are; the layers stay within the bytes */
		if (round % 3 == 0 && pk.exceptions > 0)
			pk.exceptions--;
		else if (round % 3 == 1 && pk.escapes > 0)
			pk.escapes--;

		EACH_PATH(path)
		do
		{
			uint8_t		to[1 << P] = {0};
			pds_status	status;

			status = pds_hll_registers_merge_packed(to, P, packed, &pk, P, PDS_FAMILY_NATIVE);
			if (path == PDS_PATH_PLAIN)
			{
				merged = status;
				valid = pds_hll_registers_check_packed(packed, P, &pk, histogram);
				refused += !valid;
			}
			CHECK_U64(status, merged);
			CHECK_U64(pds_hll_registers_check_packed(packed, P, &pk, histogram), valid);
		} while (next_path(&path));
		free(memory);
	}
	CHECK(refused > 400);
	CHECK_U64(m, 1 << P);
}

/* ---------- bits ---------- */

TEST(bits_of_all_lengths_and_addresses)
{
	for (size_t len = 0; len <= 512; len += 8)
	{
		uint8_t    *memory;
		uint8_t    *bits = exact(len, len / 8 % 64, &memory);
		uint64_t	want = 0;
		uint64_t	want_blocks[PDS_BLOOM_BLOCK_BITS + 1] = {0};

		for (size_t i = 0; i < len; i++)
		{
			bits[i] = (uint8_t) (len % 3 == 0 ? 0xff : test_random());
			want += (uint64_t) __builtin_popcount(bits[i]);
		}
		for (size_t at = 0; at + 64 <= len; at += 64)
		{
			int			n = 0;

			for (int i = 0; i < 64; i++)
				n += __builtin_popcount(bits[at + (size_t) i]);
			want_blocks[n]++;
		}

		EACH_PATH(path)
		do
		{
			uint64_t	blocks[PDS_BLOOM_BLOCK_BITS + 1] = {0};

			CHECK_U64(pds_bloom_count_bits(bits, len), want);
			if (len % 64 == 0)
			{
				CHECK_U64(pds_bloom_count_block_bits(bits, len, blocks), want);
				CHECK_BYTES(blocks, want_blocks, sizeof(blocks));
			}
		} while (next_path(&path));
		free(memory);
	}
}

/* ---------- base64 ---------- */

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Six bits at a time, out of a number of 24. */
static size_t
encode_slowly(const uint8_t *in, size_t len, char *out)
{
	size_t		n = 0;

	for (size_t at = 0; at < len; at += 3)
	{
		size_t		left = len - at < 3 ? len - at : 3;
		uint32_t	v = 0;

		for (size_t i = 0; i < 3; i++)
			v = v << 8 | (i < left ? in[at + i] : 0);
		for (size_t i = 0; i < 4; i++)
			out[n++] = i <= left ? alphabet[v >> (18 - 6 * i) & 63] : '=';
	}
	return n;
}

/* One token after the other, as all other readers of a list do it. */
static bool
tokens_one_by_one(uint8_t *registers, int p, const uint8_t *data, size_t len, uint32_t n)
{
	pds_hll_tokens r;

	pds_hll_tokens_from(&r, data, len, n, p);
	for (; n > 0; n--)
	{
		uint32_t	token = pds_hll_next_token(&r);

		if (token == 0)
			return false;
		pds_hll_token_to_register(registers, token, p);
	}
	return !pds_hll_tokens_overrun(&r);
}

/*
 * A list of n tokens, whose gaps are of so many bits at most.  Returns its length.
 */
static size_t
random_list(uint8_t *out, uint32_t n, int p, int gap_bits)
{
	pds_bit_writer w;
	int			k = pds_hll_rice_parameter(n);
	uint64_t	cell = 0;

	pds_bits_open(&w, out);
	for (uint32_t i = 0; i < n; i++)
	{
		uint64_t	gap = test_random() >> (64 - gap_bits);

		pds_bits_put_unary(&w, (uint32_t) (gap >> k));
		pds_bits_put(&w, (uint32_t) gap & ((UINT32_C(1) << k) - 1), k);
		cell += gap;
		if (cell >> p == 0)
			pds_bits_put(&w, 1 + (uint32_t) below(39), 6);
		cell++;
	}
	return pds_bits_close(&w);
}

/* Right ones, such with cells that are too large, cut ones, and bytes of any kind. */
TEST(lists_of_tokens_of_all_lengths)
{
	static const uint32_t lengths[] = {1, 2, 3, 4, 5, 6, 7, 10, 11, 50, 99, 100, 101, 700, 3000};
	static uint8_t list[65536];
	uint64_t	right = 0;
	uint64_t	corrupt = 0;

	for (int round = 0; round < 3000; round++)
	{
		int			p = 4 + (int) below(15);
		uint32_t	n = lengths[below(sizeof(lengths) / sizeof(lengths[0]))];
		int			widest = pds_hll_rice_parameter(n) + 3;
		int			gap_bits = 1 + (int) below((size_t) (widest < 26 ? widest : 26));
		size_t		len = random_list(list, n, p, gap_bits);
		uint8_t    *memory;
		uint8_t    *data;

		if (round % 4 == 1)
			len = below(len + 1);
		if (round % 4 == 2)
			for (size_t i = 0; i < len; i++)
				list[i] = (round % 8 == 2 ? 0xff : list[i]) & (uint8_t) test_random();
		data = exact(len, below(9), &memory);
		memcpy(data, list, len);
		EACH_PATH(path)
		do
		{
			uint8_t		want[1 << 18] = {0};
			uint8_t		got[1 << 18] = {0};
			bool		fine = tokens_one_by_one(want, p, data, len, n);

			CHECK((pds_hll_tokens_to_registers(got, p, data, len, n) == PDS_OK) == fine);
			if (fine)
				CHECK(memcmp(got, want, pds_hll_registers(p)) == 0);
			right += fine;
			corrupt += !fine;
		} while (next_path(&path));
		free(memory);
	}
	CHECK(right > 1000);
	CHECK(corrupt > 1000);
}

TEST(base64_of_all_lengths)
{
	for (size_t len = 0; len <= 300; len++)
	{
		char		want[404];
		size_t		want_len;
		uint8_t    *memory[3];
		uint8_t    *bytes = exact(len, len % 61, &memory[0]);
		uint8_t    *text = exact((len + 2) / 3 * 4, len % 37, &memory[1]);
		uint8_t    *back = exact((len + 2) / 3 * 3, len % 23, &memory[2]);

		for (size_t i = 0; i < len; i++)
			bytes[i] = (uint8_t) test_random();
		want_len = encode_slowly(bytes, len, want);

		EACH_PATH(path)
		do
		{
			memset(text, 0, want_len);
			CHECK_U64(pds_base64_encode(bytes, len, (char *) text), want_len);
			CHECK_BYTES(text, want, want_len);
			memset(back, 0, len);
			/* what is padded is left for others */
			CHECK_U64(pds_base64_decode((char *) text, want_len, back), len / 3 * 4);
			CHECK_BYTES(back, bytes, len / 3 * 3);
			/* as is what is no whole group */
			if (len >= 3)
				CHECK_U64(pds_base64_decode((char *) text, len / 3 * 4 - 1, back), len / 3 * 4 - 4);
		} while (next_path(&path));
		for (int i = 0; i < 3; i++)
			free(memory[i]);
	}
}

/* Every byte at every place: it is one of the alphabet, or the group before is the last one. */
TEST(base64_ends_at_any_other_character)
{
	enum
	{
		LEN = 128
	};

	EACH_PATH(path)
	do
	{
		for (size_t at = 0; at < LEN; at++)
			for (int c = 0; c < 256; c++)
			{
				char		text[LEN];
				uint8_t		bytes[LEN / 4 * 3];
				const char *found = c == 0 ? NULL : strchr(alphabet, c);

				memset(text, 'x', sizeof(text));
				text[at] = (char) c;
				if (!CHECK_U64(pds_base64_decode(text, LEN, bytes),
							   found != NULL ? LEN : at / 4 * 4))
					return;
				if (found != NULL)
				{
					uint8_t		six = (uint8_t) (found - alphabet);
					uint32_t	v = (uint32_t) bytes[at / 4 * 3] << 16 |
						(uint32_t) bytes[at / 4 * 3 + 1] << 8 | bytes[at / 4 * 3 + 2];

					CHECK_U64(v >> (18 - 6 * (at % 4)) & 63, six);
				}
			}
	} while (next_path(&path));
}
