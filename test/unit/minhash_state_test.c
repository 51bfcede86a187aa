/*
 * minhash_state_test.c: the state of a MinHash sketch, and so its bytes, is a function
 * of the set of hashes and of k, and of nothing else
 *
 * Each way to a state is compared with the bytes that minhash_oracle.h works out.
 */
#include "test.h"

#include "minhash_oracle.h"
#include "minhash_sketch.h"
#include "poll.h"

static const int powers[] = {4, 5, 7, 8, 10};

#define POWERS	(sizeof(powers) / sizeof(powers[0]))

/* Hashes of numbers; now and then one that is as small or as crowded as can be. */
static pds_hash
hash_of(uint64_t i)
{
	pds_hash	h = pds_murmur3_u64(i);

	if (i % 17 == 3)
		h.h2 >>= i % 64;
	if (i % 29 == 5)
		h.h1 &= 7;
	return h;
}

/* Are the oracle's bytes the stored form of s, and is that all there is to know of it? */
static void
check_state(const sketch *s, const oracle *o)
{
	payload		want = oracle_payload(o);
	payload		got = sketch_encode(s);
	const char *why = "";

	CHECK_U64(got.len, want.len);
	if (got.len == want.len)
		CHECK_BYTES(got.bytes, want.bytes, want.len);
	if (CHECK(pds_minhash_check(got.bytes, got.len, &why) == PDS_OK))
	{
		sketch		again = sketch_load(&got);
		payload		twice = sketch_encode(&again);

		CHECK(payload_equal(&got, &twice));
		payload_free(&twice);
		sketch_free(&again);
	}
	else
		printf("# %s\n", why);
	payload_free(&want);
	payload_free(&got);
}

TEST(an_empty_sketch)
{
	for (int log2_k = 4; log2_k <= 16; log2_k++)
	{
		sketch		s = sketch_new(log2_k);
		oracle		o = oracle_new(log2_k);
		payload		stored = sketch_encode(&s);

		CHECK_U64(stored.len, 4);
		check_state(&s, &o);
		payload_free(&stored);
		sketch_free(&s);
	}
}

TEST(values_one_by_one_give_the_oracle_s_bytes)
{
	for (size_t p = 0; p < POWERS; p++)
	{
		size_t		k = (size_t) 1 << powers[p];
		sketch		s = sketch_new(powers[p]);
		oracle		o = oracle_new(powers[p]);
		size_t		next = 0;

		for (size_t n = 0; n < 6 * k; n++)
		{
			pds_hash	h = hash_of(below(4 * k));

			if (n == next)
			{
				check_state(&s, &o);
				next += next / 8 + 1;
			}
			sketch_add(&s, h);
			oracle_add(&o, h);
		}
		check_state(&s, &o);
		CHECK(s.b->dense);
		oracle_free(&o);
		sketch_free(&s);
	}
}

TEST(the_largest_k)
{
	sketch		s = sketch_new(16);
	oracle		o = oracle_new(16);

	for (uint64_t i = 0; i < 150000; i++)
	{
		pds_hash	h = pds_murmur3_u64(i);

		sketch_add(&s, h);
		oracle_add(&o, h);
		if (i == 0 || i == 50000 || i == 65000)
			check_state(&s, &o);
	}
	check_state(&s, &o);
	CHECK_U64(s.size, pds_minhash_dense_size(16));
	oracle_free(&o);
	sketch_free(&s);
}

/* Tokens up to exactly k of them, registers from one more on. */
TEST(sparse_up_to_k_values)
{
	for (size_t p = 0; p < POWERS; p++)
	{
		size_t		k = (size_t) 1 << powers[p];
		sketch		s = sketch_new(powers[p]);

		for (uint64_t i = 0; i < k + 1; i++)
		{
			payload		stored;

			sketch_add(&s, pds_murmur3_u64(i));
			/* once more: the same value is no other token */
			sketch_add(&s, pds_murmur3_u64(i / 2));
			stored = sketch_encode(&s);
			CHECK_U64(payload_view(&stored).encoding, i < k ? PDS_MINHASH_SPARSE
					  : PDS_MINHASH_DENSE);
			CHECK_U64(payload_view(&stored).tokens, i < k ? i + 1 : 0);
			payload_free(&stored);
		}
		sketch_free(&s);
	}
}

/*
 * Sketches of parts of the values, of the same k or of several, stored or not, united in a
 * random order: the smallest k counts.
 */
static void
unite_randomly(bool mixed, size_t values)
{
	size_t		parts = 1 + below(9);
	sketch		list[9];
	oracle		o = oracle_new(16);
	int			power = powers[below(POWERS)];

	for (size_t i = 0; i < parts; i++)
	{
		list[i] = sketch_new(mixed ? powers[below(POWERS)] : power);
		if (list[i].b->log2_k < o.log2_k)
			o.log2_k = list[i].b->log2_k;
	}
	for (size_t i = 0; i < values; i++)
	{
		uint64_t	value = below(values);

		/* some in several parts */
		for (size_t copies = 1 + below(3); copies > 0; copies--)
			sketch_add(&list[below(parts)], hash_of(value));
		oracle_add(&o, hash_of(value));
	}
	while (parts > 1)
	{
		size_t		to = below(parts);
		size_t		from = below(parts - 1);

		from += from >= to;
		switch (below(4))
		{
			case 0:
				CHECK(sketch_merge(&list[to], &list[from]) == PDS_OK);
				break;
			case 1:
				{
					payload		stored = sketch_encode(&list[from]);

					CHECK(sketch_merge_payload(&list[to], &stored) == PDS_OK);
					payload_free(&stored);
					break;
				}
			default:
				{
					/* as a combining aggregate: both into nothing, and nothing into that */
					sketch		all = sketch_nothing();
					sketch		nothing = sketch_nothing();
					payload		stored = sketch_encode(&list[to]);

					CHECK(pds_minhash_ops.is_nothing(all.b));
					CHECK(sketch_merge(&all, &nothing) == PDS_OK);
					CHECK(pds_minhash_ops.is_nothing(all.b));
					CHECK(sketch_merge_payload(&all, &stored) == PDS_OK);
					CHECK(!pds_minhash_ops.is_nothing(all.b));
					CHECK(sketch_merge(&all, &list[from]) == PDS_OK);
					CHECK(sketch_merge(&all, &nothing) == PDS_OK);
					payload_free(&stored);
					sketch_free(&nothing);
					sketch_free(&list[to]);
					list[to] = all;
				}
		}
		sketch_free(&list[from]);
		list[from] = list[--parts];
	}
	check_state(&list[0], &o);
	sketch_free(&list[0]);
	oracle_free(&o);
}

TEST(unions_in_any_tree)
{
	static const size_t values[] = {0, 1, 5, 14, 30, 100, 200, 700, 3000};

	for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++)
		for (int turn = 0; turn < 60; turn++)
			unite_randomly(turn % 2, values[v]);
}

TEST(a_union_of_nothing_is_of_the_default_k)
{
	sketch		s = sketch_nothing();
	payload		p = sketch_encode(&s);

	CHECK(pds_minhash_ops.is_nothing(s.b));
	CHECK_U64(payload_view(&p).log2_k, 7);
	CHECK(pds_minhash_check(p.bytes, p.len, NULL) == PDS_OK);
	payload_free(&p);
	sketch_free(&s);
}

static int	polls;

static void
count_polls(void)
{
	polls++;
}

/* Of tokens that somebody chose, each may take as many steps as there are. */
TEST(a_union_of_many_tokens_gives_way)
{
	sketch		s = sketch_new(13);
	sketch		united;
	payload		p;

	for (uint64_t i = 0; i < 4096; i++)
		sketch_add(&s, pds_murmur3_u64(i));
	CHECK_U64(s.b->dense, 0);
	p = sketch_encode(&s);
	for (int stored = 0; stored < 2; stored++)
	{
		polls = 0;
		pds_poll_hook = count_polls;
		united = sketch_nothing();
		if (stored)
			CHECK(sketch_merge_payload(&united, &p) == PDS_OK);
		else
			CHECK(sketch_merge(&united, &s) == PDS_OK);
		pds_poll_hook = NULL;
		CHECK(polls >= 16);
		sketch_free(&united);
	}
	payload_free(&p);
	sketch_free(&s);
}

TEST(folded_as_if_built_so)
{
	for (size_t n = 1; n < 5000; n = n * 3 / 2 + 1)
		for (int from = 6; from <= 11; from++)
			for (int to = 4; to <= from; to++)
			{
				sketch		s = sketch_new(from);
				oracle		o = oracle_new(to);
				sketch		folded = sketch_new(to);
				payload		stored;

				for (size_t i = 0; i < n; i++)
				{
					sketch_add(&s, hash_of(i));
					oracle_add(&o, hash_of(i));
				}
				stored = sketch_encode(&s);
				CHECK(sketch_merge_payload(&folded, &stored) == PDS_OK);
				check_state(&folded, &o);
				payload_free(&stored);
				sketch_free(&folded);
				oracle_free(&o);
				sketch_free(&s);
			}
}

/* Registers read from a stored sketch of any encoding, at any k that is no larger. */
TEST(registers_are_read_at_a_smaller_k)
{
	for (size_t n = 1; n < 3000; n = n * 2 + 1)
	{
		sketch		s = sketch_new(9);
		payload		stored;
		pds_minhash_view v;

		for (size_t i = 0; i < n; i++)
			sketch_add(&s, hash_of(i));
		stored = sketch_encode(&s);
		v = payload_view(&stored);
		for (int log2_k = 4; log2_k <= 9; log2_k++)
		{
			size_t		bytes = sizeof(uint16_t) << log2_k;
			uint16_t   *want = calloc(bytes, 1);
			uint16_t   *got = sketch_memory(bytes);

			for (size_t i = 0; i < n; i++)
			{
				uint64_t	token = pds_minhash_token(hash_of(i), log2_k);
				uint16_t   *at = &want[pds_minhash_token_bin(token)];

				if (pds_minhash_token_register(token) > *at)
					*at = pds_minhash_token_register(token);
			}
			CHECK(pds_minhash_read_registers(&v, log2_k, got) == PDS_OK);
			CHECK_BYTES(got, want, bytes);
			free(got);
			free(want);
		}
		payload_free(&stored);
		sketch_free(&s);
	}
}
