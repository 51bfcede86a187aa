/*
 * bloom_probe_test.c: asking a stored Bloom filter: never a no for a key that is in it,
 * and a look at no more bytes than that takes
 */
#include "bloom_sets.h"

/* A reader that hands out one piece of memory at a time, and notes what was asked. */
typedef struct source
{
	const payload *p;
	const pds_bloom_view *v;
	uint8_t    *piece;			/* just as long as was asked */
	int			asked;			/* how often */
	size_t		bytes;			/* how many in all */
	size_t		longest;
} source;

static const uint8_t *
fetch_piece(void *context, size_t offset, size_t len)
{
	source	   *s = context;

	CHECK(len > 0 && offset <= s->p->len && len <= s->p->len - offset);
	CHECK(offset >= s->v->data_at);
	/* what was handed out before is gone */
	free(s->piece);
	s->piece = payload_copy(s->p->bytes + offset, len).bytes;
	s->asked++;
	s->bytes += len;
	if (len > s->longest)
		s->longest = len;
	return s->piece;
}

static bool
contains(source *s, pds_hash h)
{
	uint64_t	found = 0;

	s->asked = 0;
	s->bytes = s->longest = 0;
	CHECK(pds_bloom_view_contains(s->v, h, fetch_piece, s, &found) == PDS_OK);
	return found;
}

/* Places until one is zero, that one included. */
static int
places_to_look_at(const uint8_t *bits, const pds_bloom_shape *s, pds_hash h)
{
	for (int i = 0; i < s->hashes; i++)
		if (bits[oracle_place(h, s, i)] == 0)
			return i + 1;
	return s->hashes;
}

/* Is the answer right, and was no more asked for than the encoding needs? */
static void
check_probe(source *src, const uint8_t *bits, pds_hash h)
{
	const pds_bloom_shape *s = &src->v->shape;
	int			looks = places_to_look_at(bits, s, h);

	CHECK(contains(src, h) == oracle_contains(bits, s, h));
	switch (src->v->encoding)
	{
		case PDS_BLOOM_EMPTY:
			CHECK_U64((uint64_t) src->asked, 0);
			break;
		case PDS_BLOOM_ARRAY:
			if (s->family == PDS_BLOOM_BLOCKED)
			{
				CHECK_U64((uint64_t) src->asked, 1);
				CHECK_U64(src->bytes, pds_bloom_block_bits(s->bits) / 8);
			}
			else
			{
				CHECK_U64((uint64_t) src->asked, (uint64_t) looks);
				CHECK_U64(src->bytes, (uint64_t) looks);
			}
			break;
		case PDS_BLOOM_SPARSE:
			/* two entries of the directory and a segment, which may be empty */
			if (s->family == PDS_BLOOM_BLOCKED)
				looks = 1;
			CHECK(src->asked <= 2 * looks);
			CHECK(src->longest <= 2048);
			break;
	}
}

TEST(the_answer_is_right_and_cheap)
{
	for (int shape = 0; shape < ODD_SHAPES; shape++)
	{
		pds_bloom_shape s = odd_shape(shape);
		size_t		all = (size_t) (s.bits / s.hashes);

		for (size_t n = 0; n < 2 * all && n < 60000; n = n * 2 + 1)
		{
			filter		f = filter_new(&s);
			uint8_t    *bits = oracle_bits(&s);
			payload		stored;
			pds_bloom_view v;
			source		src;

			take_hashes(n);
			for (size_t i = 0; i < n; i++)
			{
				filter_add(&f, hashes[i]);
				oracle_add(bits, &s, hashes[i]);
			}
			stored = filter_encode(&f);
			v = payload_view(&stored);
			src = (source) {&stored, &v, NULL, 0, 0, 0};
			for (size_t i = 0; i < n && i < 300; i++)
				check_probe(&src, bits, hashes[n < 300 ? i : below(n)]);
			for (int i = 0; i < 300; i++)
				check_probe(&src, bits, hash_of(test_random()));
			free(src.piece);
			free(bits);
			payload_free(&stored);
			filter_free(&f);
		}
	}
}

/* Single bits in each corner of cells and segments. */
TEST(corners_of_cells_and_segments)
{
	static const uint64_t sizes[] = {64, 4096, 4160, 4608, 8192, 12352, 512 * 1000};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
	{
		for (int family = 0; family <= 1; family++)
		{
			uint64_t	m = sizes[i];
			pds_bloom_shape s;
			filter		f;
			uint8_t    *bits;
			payload		stored;
			pds_bloom_view v;
			source		src;

			if (family == PDS_BLOOM_BLOCKED && m > 4096)
				m = m / 512 * 512;
			s = shape_explicit(m, 1, (uint8_t) family);
			f = filter_of_bits(&s);
			bits = oracle_bits(&s);
			for (uint64_t at = 0; at < m; at += 512 + (m > 100000 ? 512 * 13 : 0))
			{
				bits[at] = bits[at + 63] = 1;
				if (at > 0)
					bits[at - 1] = 1;
			}
			bits[m - 1] = 1;
			for (uint64_t at = 0; at < m; at++)
				if (bits[at])
					pds_bloom_set_bit(pds_bloom_build_array(f.b), at);
			stored = filter_encode(&f);
			v = payload_view(&stored);
			src = (source) {&stored, &v, NULL, 0, 0, 0};
			for (int probe = 0; probe < 20000; probe++)
				check_probe(&src, bits, hash_of(test_random()));
			/* each place by a hash made for it: of classic filters it is h1 itself */
			for (uint64_t at = 0; at < m && family == PDS_BLOOM_CLASSIC; at += m < 5000 ? 1 : 61)
				check_probe(&src, bits, (pds_hash) {at, 0});
			free(src.piece);
			free(bits);
			payload_free(&stored);
			filter_free(&f);
		}
	}
}

/* How long a segment can get: what a probe of a large sparse filter reads. */
TEST(segments_are_short_at_any_fill)
{
	for (int family = 0; family <= 1; family++)
	{
		pds_bloom_shape s = shape_of(1000000, 0.01, (uint8_t) family);
		filter		f = filter_new(&s);
		size_t		longest = 0;
		uint64_t	n = 0;

		for (uint64_t to = 1; to < 250000; to = to * 5 / 2 + 1)
		{
			payload		stored;
			pds_bloom_view v;
			source		src;

			for (; n < to; n++)
				filter_add(&f, pds_murmur3_u64(n));
			stored = filter_encode(&f);
			v = payload_view(&stored);
			if (v.encoding != PDS_BLOOM_SPARSE)
			{
				payload_free(&stored);
				break;
			}
			src = (source) {&stored, &v, NULL, 0, 0, 0};
			for (uint64_t i = 0; i < 200; i++)
			{
				CHECK(contains(&src, pds_murmur3_u64(below((size_t) n))));
				if (src.longest > longest)
					longest = src.longest;
			}
			free(src.piece);
			payload_free(&stored);
		}
		printf("# longest segment that was read, %s: %zu bytes\n",
			   family == PDS_BLOOM_CLASSIC ? "classic" : "blocked", longest);
		CHECK(longest <= 1400);
		filter_free(&f);
	}
}

/* Every key of every filter, whatever it is: in arrays, in lists, united and intersected. */
TEST(no_key_is_ever_lost)
{
	uint64_t	probes = 0;

	for (int round = 0; round < 50; round++)
	{
		pds_bloom_shape s = round < ODD_SHAPES ? odd_shape(round) :
			shape_of(1 + below((size_t) 1 << below(17)),
					 pds_decimal_value((uint16_t) (1 + below(PDS_DECIMAL_CODES - 1))),
					 (uint8_t) below(2));
		size_t		n = 1 + below((size_t) (s.bits / s.hashes) + 2) % 6000;
		filter		f = filter_new(&s);
		filter		g = filter_new(&s);
		filter		united;
		filter		common;
		payload		stored[4];

		take_hashes(n);
		for (size_t i = 0; i < n; i++)
		{
			filter_add(i % 3 == 0 ? &g : &f, hashes[i]);
			if (i % 5 == 0)
				filter_add(i % 3 == 0 ? &f : &g, hashes[i]);
		}
		stored[0] = filter_encode(&f);
		stored[1] = filter_encode(&g);
		united = filter_of_payload(&stored[0]);
		filter_merge(&united, &g);
		common = filter_of_payload(&stored[0]);
		{
			pds_bloom_view v = payload_view(&stored[1]);

			CHECK(pds_bloom_intersect_view(common.b, &v) == PDS_OK);
		}
		stored[2] = filter_encode(&united);
		stored[3] = filter_encode(&common);
		for (int p = 0; p < 4; p++)
		{
			pds_bloom_view v = payload_view(&stored[p]);
			bool		all = true;

			for (size_t i = 0; i < n; i++)
			{
				bool		member = p == 2 || i % 5 == 0 || (i % 3 == 0) == (p == 1);

				if (p == 3)
					member = i % 5 == 0;
				if (!member)
					continue;
				all = all && payload_contains(&stored[p], &v, hashes[i]);
				probes++;
				if (v.encoding == PDS_BLOOM_ARRAY)
					all = all && pds_bloom_array_contains(stored[p].bytes + v.data_at, &v.shape,
														  hashes[i]);
			}
			CHECK(all);
			payload_free(&stored[p]);
		}
		filter_free(&united);
		filter_free(&common);
		filter_free(&f);
		filter_free(&g);
	}
	printf("# %" PRIu64 " members asked for\n", probes);
}

/* What the server remembers of one filter answers for another that is the same there. */
TEST(the_same_probe_is_the_same_answer)
{
	for (int family = 0; family <= 1; family++)
	{
		pds_bloom_shape s = shape_of(100000, 0.01, (uint8_t) family);
		filter		f = filter_new(&s);
		payload		stored[2];
		pds_bloom_view v[2];
		int			same = 0;

		take_hashes(3000);
		for (size_t i = 0; i < 3000; i++)
			filter_add(&f, hashes[i]);
		stored[0] = filter_encode(&f);
		stored[1] = payload_copy(stored[0].bytes, stored[0].len);
		v[0] = payload_view(&stored[0]);
		v[1] = payload_view(&stored[1]);
		CHECK(v[0].list.segments > 1);
		for (size_t i = 0; i < 3000; i++)
			CHECK(pds_bloom_same_probe(&v[0], v[1].payload, hashes[i]));
		/* a bit less in the last segment: seen by the keys that are there, and by no others */
		stored[1].bytes[stored[1].len - 9] ^= 16;
		for (size_t i = 0; i < 3000; i++)
		{
			bool		is = pds_bloom_same_probe(&v[0], v[1].payload, hashes[i]);
			uint64_t	last = (v[0].list.segments - 1) << v[0].list.shift;
			bool		there = false;

			for (int k = 0; k < s.hashes; k++)
				there = there || oracle_place(hashes[i], &s, k) / pds_bloom_cell_bits(&s) >= last;
			CHECK(is == !there);
			same += is;
		}
		CHECK(same > 0 && same < 3000);
		/* a directory that is damaged is not the same, and not read beyond */
		memset(stored[1].bytes + v[1].data_at, 0xff, 4 * (size_t) v[1].list.segments);
		for (size_t i = 0; i < 100; i++)
			CHECK(!pds_bloom_same_probe(&v[0], v[1].payload, hashes[i]));
		payload_free(&stored[0]);
		payload_free(&stored[1]);
		filter_free(&f);
	}
}
