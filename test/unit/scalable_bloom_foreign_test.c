/*
 * scalable_bloom_foreign_test.c: chains of layers from RedisBloom, and for it
 *
 * The oracle is RedisBloom's own way of filling a chain (SBChain_Add, bloom_init,
 * bloom_check_add64 and SBChain_GetEncodedHeader), written plainly.
 */
#include <math.h>

#include "scalable_bloom_sketch.h"
#include "test.h"

#include "scalable_bloom_estimate.h"
#include "scalable_bloom_foreign.h"

#define MOST_LINKS	16

typedef struct link
{
	uint64_t	bits;
	uint64_t	size;
	uint64_t	entries;
	double		error;
	double		bpe;
	uint32_t	hashes;
	uint8_t		n2;
	uint8_t    *bf;
} link_of_chain;

typedef struct chain
{
	uint64_t	size;
	uint32_t	links;
	uint32_t	growth;
	bool		scales;
	bool		rounds;
	link_of_chain link[MOST_LINKS];
} chain;

static void
chain_add_link(chain *c, uint64_t entries, double error)
{
	link_of_chain *l = &c->link[c->links++];
	double		bpe = -(log(error) / 0.480453013918201);
	uint64_t	bits = (uint64_t) ((double) entries * bpe);

	if (c->links > MOST_LINKS)
		sketch_die("too many links");
	l->n2 = 0;
	if (c->rounds)
	{
		l->n2 = (uint8_t) (logb((double) entries * bpe) + 1);
		bits = UINT64_C(1) << l->n2;
		entries += (uint64_t) (((double) bits - (double) entries * bpe) / bpe);
	}
	l->bits = (bits + 63) / 64 * 64;
	l->size = 0;
	l->entries = entries;
	l->error = error;
	l->bpe = bpe;
	l->hashes = (uint32_t) ceil(0.693147180559945 * bpe);
	l->bf = calloc((size_t) (l->bits / 8), 1);
}

static chain
chain_new(uint64_t entries, double error, uint32_t growth, bool rounds)
{
	chain		c = {0, 0, growth, growth > 0, rounds, {{0}}};

	chain_add_link(&c, entries, growth > 0 ? error * 0.5 : error);
	return c;
}

static void
chain_free(chain *c)
{
	for (uint32_t i = 0; i < c->links; i++)
		free(c->link[i].bf);
}

static bool
link_has(const link_of_chain *l, pds_hash h)
{
	for (uint64_t i = 0; i < l->hashes; i++)
	{
		uint64_t	x = (h.h1 + i * h.h2) % l->bits;

		if ((l->bf[x / 8] >> x % 8 & 1) == 0)
			return false;
	}
	return true;
}

static bool
chain_has(const chain *c, pds_hash h)
{
	for (uint32_t i = 0; i < c->links; i++)
		if (link_has(&c->link[i], h))
			return true;
	return false;
}

static void
chain_add(chain *c, pds_hash h)
{
	link_of_chain *l = &c->link[c->links - 1];

	if (chain_has(c, h))
		return;
	if (l->size >= l->entries)
	{
		if (!c->scales)
			return;
		chain_add_link(c, l->entries * c->growth, l->error * 0.5);
		l = &c->link[c->links - 1];
	}
	for (uint64_t i = 0; i < l->hashes; i++)
	{
		uint64_t	x = (h.h1 + i * h.h2) % l->bits;

		l->bf[x / 8] |= (uint8_t) (1 << x % 8);
	}
	l->size++;
	c->size++;
}

static void
put_double(uint8_t *out, double v)
{
	uint64_t	bits;

	memcpy(&bits, &v, 8);
	pds_store_le64(out, bits);
}

/* What BF.SCANDUMP gives. */
static payload
chain_dump(const chain *c)
{
	payload		p = {NULL, 20 + 53 * (size_t) c->links};
	uint8_t    *at;

	for (uint32_t i = 0; i < c->links; i++)
		p.len += (size_t) (c->link[i].bits / 8);
	p.bytes = sketch_memory(p.len);
	pds_store_le64(p.bytes, c->size);
	pds_store_le32(p.bytes + 8, c->links);
	pds_store_le32(p.bytes + 12, (c->rounds ? 0 : 1) | 4 | (c->scales ? 0 : 8));
	pds_store_le32(p.bytes + 16, c->growth);
	at = p.bytes + 20;
	for (uint32_t i = 0; i < c->links; i++, at += 53)
	{
		const link_of_chain *l = &c->link[i];

		pds_store_le64(at, l->bits / 8);
		pds_store_le64(at + 8, l->bits);
		pds_store_le64(at + 16, l->size);
		put_double(at + 24, l->error);
		put_double(at + 32, l->bpe);
		pds_store_le32(at + 40, l->hashes);
		pds_store_le64(at + 44, l->entries);
		at[52] = l->n2;
	}
	for (uint32_t i = 0; i < c->links; at += c->link[i].bits / 8, i++)
		memcpy(at, c->link[i].bf, (size_t) (c->link[i].bits / 8));
	return p;
}

/* The hash of a string that is different for every number. */
static pds_hash
redis_key(uint64_t i)
{
	char		text[24];
	pds_hash	h = {0, 0};
	int			len = snprintf(text, sizeof(text), "%" PRIu64, i);

	CHECK(pds_bloom_foreign_hash(PDS_BLOOM_REDIS, PDS_KIND_STRING, text, (size_t) len, &h));
	return h;
}

static payload
import(const payload *dump)
{
	pds_scalable_bloom_chain c;
	const char *why = "";
	sketch		s;
	payload		stored;

	if (pds_scalable_bloom_redis_open(&c, dump->bytes, dump->len, &why) != PDS_OK)
		sketch_die(why);
	s.size = pds_scalable_bloom_import_size(&c);
	s.b = sketch_memory(s.size);
	pds_scalable_bloom_import(s.b, &c, PDS_KIND_STRING);
	if (s.b->layers == 0)
		pds_state_set_kind(s.b, PDS_KIND_NONE);
	stored = sketch_encode(&s);
	sketch_free(&s);
	return stored;
}

static payload
export(const payload *stored)
{
	pds_scalable_bloom_view v = payload_view(stored);
	payload		p;

	CHECK(pds_scalable_bloom_redis_size(&v, &p.len) == PDS_OK);
	p.bytes = sketch_memory(p.len);
	CHECK(pds_scalable_bloom_redis_write(&v, p.bytes) == PDS_OK);
	return p;
}

TEST(a_chain_answers_as_in_redisbloom)
{
	static const struct
	{
		uint64_t	entries;
		double		error;
		uint32_t	growth;
		bool		rounds;
		uint64_t	keys;
	}			of[] = {
		{100, 0.01, 2, false, 0}, {100, 0.01, 2, false, 90}, {100, 0.01, 2, false, 20000},
		{100, 0.01, 2, true, 20000}, {50, 0.001, 4, false, 9000}, {100, 0.02, 1, false, 1200},
		{300, 0.01, 0, false, 250}, {300, 0.01, 0, true, 2000}
	};

	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++)
	{
		chain		c = chain_new(of[i].entries, of[i].error, of[i].growth, of[i].rounds);
		payload		dump;
		payload		stored;
		payload		again;
		pds_scalable_bloom_view v;

		for (uint64_t k = 0; k < of[i].keys; k++)
			chain_add(&c, redis_key(k));
		dump = chain_dump(&c);
		stored = import(&dump);
		v = payload_view(&stored);
		CHECK_U64(v.layers, of[i].keys > 0 ? c.links : 0);
		CHECK_U64(v.parameters.family, PDS_BLOOM_REDIS);
		CHECK_U64(v.parameters.expansion, of[i].growth);
		CHECK_U64(v.parameters.rate, pds_decimal_code(of[i].error));
		CHECK_U64(v.parameters.capacity, c.link[0].entries);
		for (uint64_t k = 0; k < 2 * of[i].keys + 1000; k++)
			CHECK(view_contains(&v, redis_key(k)) == chain_has(&c, redis_key(k)));

		/* out again, and in: the same */
		again = export(&stored);
		if (of[i].keys > 0)
		{
			size_t		head = 20 + 53 * (size_t) c.links;

			CHECK_U64(again.len, dump.len);
			/* the layers' sizes, numbers of hashes, capacities and bits */
			for (uint32_t l = 0; l < c.links; l++)
			{
				CHECK_BYTES(again.bytes + 20 + 53 * l, dump.bytes + 20 + 53 * l, 16);
				CHECK_BYTES(again.bytes + 20 + 53 * l + 40, dump.bytes + 20 + 53 * l + 40, 12);
			}
			CHECK_BYTES(again.bytes + head, dump.bytes + head, dump.len - head);
			/* about as many values: 5 standard deviations of the estimate are some 3 a hundred */
			CHECK_NEAR((double) pds_load_le64(again.bytes), (double) c.size,
					   0.03 * (double) c.size + 10);
		}
		{
			payload		twice = import(&again);

			CHECK(payload_equal(&twice, &stored));
			payload_free(&twice);
		}
		payload_free(&again);
		payload_free(&stored);
		payload_free(&dump);
		chain_free(&c);
	}
}

TEST(an_imported_chain_grows_as_redisbloom_does)
{
	chain		c = chain_new(100, 0.01, 2, false);
	payload		dump;
	payload		stored;
	sketch		s;
	pds_scalable_bloom_view v;
	pds_scalable_bloom_summary sum;
	uint64_t	found = 0;

	for (uint64_t k = 0; k < 500; k++)
		chain_add(&c, redis_key(k));
	dump = chain_dump(&c);
	stored = import(&dump);
	s = payload_state(&stored);
	payload_free(&stored);
	for (uint64_t k = 0; k < 6000; k++)
	{
		chain_add(&c, redis_key(k));
		sketch_add(&s, redis_key(k));
	}
	stored = sketch_encode(&s);
	v = payload_view(&stored);
	CHECK_U64(v.layers, c.links);
	for (uint32_t i = 0; i < v.layers; i++)
	{
		pds_bloom_view layer;

		CHECK(pds_scalable_bloom_layer(&v, i, &layer) == PDS_OK);
		CHECK_U64(layer.shape.capacity, c.link[i].entries);
		CHECK_U64(layer.shape.hashes, c.link[i].hashes);
		/* the rate is kept with three digits */
		CHECK_NEAR((double) layer.shape.bits, (double) c.link[i].bits,
				   0.005 * (double) c.link[i].bits + 64);
	}
	for (uint64_t k = 0; k < 6000; k++)
		CHECK(view_contains(&v, redis_key(k)));
	for (uint64_t k = 0; k < 50000; k++)
		found += view_contains(&v, redis_key(1000000 + k));
	CHECK(pds_scalable_bloom_summarize(&v, &sum) == PDS_OK);
	CHECK(sum.design_rate < 0.01);
	CHECK((double) found / 50000 < 0.01 + 4 * sqrt(0.01 / 50000));
	payload_free(&stored);
	payload_free(&dump);
	sketch_free(&s);
	chain_free(&c);
}

static pds_status
opened(const uint8_t *bytes, size_t len)
{
	payload		copy = payload_copy(bytes, len);
	pds_scalable_bloom_chain c;
	const char *why = NULL;
	pds_status	status = pds_scalable_bloom_redis_open(&c, copy.bytes, len, &why);

	CHECK((status == PDS_OK) == (why == NULL));
	if (status == PDS_OK)
	{
		/* what opens can be imported, and is a sketch */
		sketch		s;
		payload		stored;

		s.size = pds_scalable_bloom_import_size(&c);
		s.b = sketch_memory(s.size);
		pds_scalable_bloom_import(s.b, &c, PDS_KIND_STRING);
		if (s.b->layers == 0)
			pds_state_set_kind(s.b, PDS_KIND_NONE);
		stored = sketch_encode(&s);
		payload_free(&stored);
		sketch_free(&s);
	}
	payload_free(&copy);
	return status;
}

TEST(what_is_refused_of_redisbloom)
{
	chain		c = chain_new(20, 0.05, 2, false);
	payload		dump;

	for (uint64_t k = 0; k < 120; k++)
		chain_add(&c, redis_key(k));
	CHECK(c.links > 1);
	dump = chain_dump(&c);
	CHECK(opened(dump.bytes, dump.len) == PDS_OK);
	for (size_t len = 0; len < dump.len; len++)
		CHECK(opened(dump.bytes, len) != PDS_OK);
	for (size_t bit = 0; bit < 8 * dump.len; bit++)
	{
		pds_status	status;

		dump.bytes[bit / 8] ^= (uint8_t) (1 << bit % 8);
		status = opened(dump.bytes, dump.len);
		CHECK(status == PDS_OK || status == PDS_CORRUPT || status == PDS_PARAMETER_MISMATCH);
		dump.bytes[bit / 8] ^= (uint8_t) (1 << bit % 8);
	}
	/* hashes of 32 bits; more layers than there can be */
	dump.bytes[12] = 1;
	CHECK(opened(dump.bytes, dump.len) == PDS_PARAMETER_MISMATCH);
	dump.bytes[12] = 5;
	pds_store_le32(dump.bytes + 8, 2000);
	CHECK(opened(dump.bytes, dump.len) == PDS_PARAMETER_MISMATCH);
	pds_store_le32(dump.bytes + 8, 0);
	CHECK(opened(dump.bytes, dump.len) == PDS_CORRUPT);
	payload_free(&dump);
	chain_free(&c);
}
