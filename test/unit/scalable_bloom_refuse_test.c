/*
 * scalable_bloom_refuse_test.c: bytes that must not pass for a scalable Bloom filter,
 * and that what does pass is the only way of writing it
 */
#include "scalable_bloom_sketch.h"
#include "test.h"
#include "scalable_bloom.h"
#include "refuse.h"

#include "bloom_size.h"
#include "scalable_bloom_estimate.h"
#include "signature.h"

/*
 * Bytes that did not pass the check but have a header that opens, as they may come
 * from a damaged disk: reading them must be safe, whatever it answers.
 */
static void
read_unchecked(const uint8_t *bytes, size_t len)
{
	payload		copy = payload_copy(bytes, len);
	pds_scalable_bloom_view v;

	if (pds_scalable_bloom_open(&v, copy.bytes, len, len, NULL) == PDS_OK)
	{
		sketch		s = sketch_nothing();
		pds_scalable_bloom_summary sum;
		pds_operand operand = {NULL, &v};
		uint64_t	found;

		for (uint64_t i = 0; i < 3; i++)
			(void) pds_scalable_bloom_view_contains(&v, key(test_random()), in_memory, &v, &found);
		(void) pds_scalable_bloom_summarize(&v, &sum);
		(void) sketch_try_union(&s, &operand);
		sketch_free(&s);
	}
	payload_free(&copy);
}

#define EXAMPLES	8

static payload
example(int number)
{
	static const struct
	{
		uint64_t	capacity;
		uint32_t	expansion;
		uint64_t	keys;
		bool		collect;
	}			of[EXAMPLES] = {
		{100, 2, 0, false}, {10, 2, 1, false}, {1000, 2, 5, false}, {1000, 2, 900, false},
		{5, 1, 60, false}, {20, 2, 400, false}, {20, 4, 1000, false}, {10, 2, 700, true}
	};
	pds_scalable_bloom_parameters p = parameters_of(of[number].capacity, 0.01,
													of[number].expansion);
	sketch		s = sketch_new(&p, of[number].collect);
	payload		stored;

	for (uint64_t i = 0; i < of[number].keys; i++)
		sketch_add(&s, key(i));
	stored = sketch_encode(&s);
	sketch_free(&s);
	return stored;
}

static const refuse_target the_target = {
	.ops = &pds_scalable_bloom_ops,
	.example = example,
	.examples = EXAMPLES,
	.encodings = 0x3,
	.classes = 1,
	.least = {0},
	.most = {100},
	.read_unchecked = read_unchecked,
};

/* A sketch of these layers, as they are, in this order. */
static payload
compose(const payload *head_of, const payload *layers, uint32_t n)
{
	payload		p = {sketch_memory(200000), 0};
	size_t		directory;
	size_t		end = 0;

	/* header, rate, capacity of one byte, expansion of one byte */
	memcpy(p.bytes, head_of->bytes, 7);
	p.bytes[1] = (uint8_t) ((p.bytes[1] & 0xf0) | PDS_SCALABLE_BLOOM_LAYERS);
	p.len = 7;
	p.len += oracle_varint(p.bytes + p.len, n);
	directory = p.len;
	if (n > 1)
		p.len += 4 * (size_t) n;
	for (uint32_t i = 0; i < n; i++)
	{
		memcpy(p.bytes + p.len, layers[i].bytes, layers[i].len);
		p.len += layers[i].len;
		end += layers[i].len;
		if (n > 1)
			pds_store_le32(p.bytes + directory + 4 * i, (uint32_t) end);
	}
	return p;
}

TEST(layers_out_of_place_are_refused)
{
	payload		stored = example(5);
	pds_scalable_bloom_view v = payload_view(&stored);
	payload		layers[16];
	payload		p;
	uint32_t	n = v.layers;

	CHECK(n >= 3 && n <= 16);
	for (uint32_t i = 0; i < n; i++)
	{
		pds_bloom_view layer;

		CHECK(pds_scalable_bloom_layer(&v, i, &layer) == PDS_OK);
		layers[i] = payload_copy(layer.payload, layer.len);
	}
	p = compose(&stored, layers, n);
	CHECK(payload_equal(&p, &stored));
	payload_free(&p);
	/* any subset is a sketch */
	p = compose(&stored, layers + 1, n - 1);
	CHECK(!refused(p.bytes, p.len));
	payload_free(&p);
	p = compose(&stored, layers + 1, 1);
	CHECK(!refused(p.bytes, p.len));
	payload_free(&p);

	/* in another order; the same twice */
	for (uint32_t i = 0; i + 1 < n; i++)
	{
		payload		first = layers[i];
		payload		second = layers[i + 1];

		layers[i] = second;
		layers[i + 1] = first;
		p = compose(&stored, layers, n);
		CHECK(refused(p.bytes, p.len));
		payload_free(&p);
		layers[i] = layers[i + 1] = second;
		p = compose(&stored, layers, n);
		CHECK(refused(p.bytes, p.len));
		payload_free(&p);
		layers[i] = first;
		layers[i + 1] = second;
	}
	for (uint32_t i = 0; i < n; i++)
		payload_free(&layers[i]);
	payload_free(&stored);
}

/* A bloom of these parameters, as it is stored. */
static payload
bloom_of(uint8_t layout, uint64_t capacity, uint64_t keys, pds_kind kind)
{
	pds_bloom_shape shape;
	pds_bloom_build *b;
	pds_bloom_encoding encoding;
	uint8_t    *out;
	payload		p;

	if (pds_bloom_shape_for(capacity, pds_decimal_code(0.005), layout, &shape) != PDS_OK)
		sketch_die("too large");
	b = sketch_memory(pds_bloom_bits_size(shape.bits));
	pds_bloom_build_init(b, pds_bloom_bits_size(shape.bits), &shape);
	for (uint64_t i = 0; i < keys; i++)
		(void) pds_bloom_add(b, key(i));
	pds_state_set_kind(b, kind);
	pds_bloom_measure(b, &encoding);
	out = sketch_memory(encoding.bytes);
	p = payload_copy(out, pds_bloom_encode(b, &encoding, NULL, out));
	free(out);
	free(b);
	return p;
}

TEST(layers_that_are_no_such_layers_are_refused)
{
	payload		stored = example(5);
	payload		layer;
	payload		p;

	layer = bloom_of(PDS_BLOOM_BLOCKED, 50, 40, PDS_KIND_NUMBER);
	p = compose(&stored, &layer, 1);
	CHECK(!refused(p.bytes, p.len));
	/* not of the sketch's type */
	CHECK(refused(layer.bytes, layer.len));
	payload_free(&p);
	payload_free(&layer);

	/* another family, another kind, nothing in it */
	layer = bloom_of(PDS_BLOOM_CLASSIC, 50, 40, PDS_KIND_NUMBER);
	p = compose(&stored, &layer, 1);
	CHECK(refused(p.bytes, p.len));
	payload_free(&p);
	payload_free(&layer);
	layer = bloom_of(PDS_BLOOM_BLOCKED, 50, 40, PDS_KIND_STRING);
	p = compose(&stored, &layer, 1);
	CHECK(refused(p.bytes, p.len));
	payload_free(&p);
	payload_free(&layer);
	layer = bloom_of(PDS_BLOOM_BLOCKED, 50, 0, PDS_KIND_NUMBER);
	p = compose(&stored, &layer, 1);
	CHECK(refused(p.bytes, p.len));
	payload_free(&p);
	payload_free(&layer);
	payload_free(&stored);
}

/* In order, apart from that. */
TEST(a_layer_in_another_is_refused)
{
	static const uint64_t counts[][2] = {{45, 44}, {45, 2}, {3, 2}, {45, 45}, {3, 3}};
	payload		stored = example(5);

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
	{
		payload		layers[3];
		payload		p;

		layers[0] = bloom_of(PDS_BLOOM_BLOCKED, 50, counts[i][0], PDS_KIND_NUMBER);
		layers[1] = bloom_of(PDS_BLOOM_BLOCKED, 50, counts[i][1], PDS_KIND_NUMBER);
		p = compose(&stored, layers, 2);
		CHECK(refused(p.bytes, p.len));
		payload_free(&p);
		/* of another capacity */
		layers[2] = bloom_of(PDS_BLOOM_BLOCKED, 51, counts[i][1], PDS_KIND_NUMBER);
		p = compose(&stored, layers + 1, 2);
		CHECK(!refused(p.bytes, p.len));
		payload_free(&p);
		for (int j = 0; j < 3; j++)
			payload_free(&layers[j]);
	}
	payload_free(&stored);
}

SIGNATURE_OPENS(scalable_bloom)

TEST(kinds_with_a_signature)
{
	pds_scalable_bloom_parameters p = parameters_of(100, 0.01, 2);
	sketch		s = sketch_new(&p, false);
	payload		stored;
	pds_kind	kind = PDS_KIND_NONE;

	for (uint64_t i = 0; i < 500; i++)
		sketch_add(&s, key(i));
	pds_state_set_kind(s.b, SIGNED_KIND);
	/* the closed layers are of the kind of their time */
	CHECK(!ops->check_state(s.b, s.size));
	sketch_free(&s);

	s = sketch_new(&p, false);
	for (uint64_t i = 0; i < 50; i++)
		sketch_add(&s, key(i));
	pds_state_set_kind(s.b, SIGNED_KIND);
	stored = sketch_encode(&s);
	CHECK(opens(&stored, &kind));
	CHECK_U64(kind, SIGNED_KIND);
	for (size_t len = 0; len < stored.len; len++)
		CHECK(refused(stored.bytes, len));
	/* a signature in front that is not the layer's */
	stored.bytes[3] ^= 1;
	CHECK(refused(stored.bytes, stored.len));
	payload_free(&stored);
	sketch_free(&s);
}

TEST(heads_that_are_refused)
{
	payload		stored = example(1);

	/* 71 01 01, rate, capacity 10, expansion 2, 1 layer */
	CHECK(!refused(stored.bytes, stored.len));
#define REFUSED_WITH(at, value) \
	do { \
		uint8_t		keep = stored.bytes[at]; \
		stored.bytes[at] = (uint8_t) (value); \
		CHECK(refused(stored.bytes, stored.len)); \
		stored.bytes[at] = keep; \
	} while (0)
	for (int value = 0; value < 256; value++)
	{
		if (value != 0x71)
			REFUSED_WITH(0, value);
		if (value != 1)
			REFUSED_WITH(1, value);
		if (value != PDS_KIND_NUMBER)
			REFUSED_WITH(2, value);
		if (value != 1)
			REFUSED_WITH(7, value);
	}
	REFUSED_WITH(4, 0xff);
	REFUSED_WITH(5, 0);
	REFUSED_WITH(6, 0);
	payload_free(&stored);
	/* rates out of range: unknown, and below 1e-5 */
	stored = example(0);
	stored.bytes[3] = stored.bytes[4] = 0;
	CHECK(refused(stored.bytes, stored.len));
	pds_store_le16(stored.bytes + 3, pds_decimal_code(9.99e-6));
	CHECK(refused(stored.bytes, stored.len));
	pds_store_le16(stored.bytes + 3, pds_decimal_code(1e-5));
	CHECK(!refused(stored.bytes, stored.len));
	payload_free(&stored);
#undef REFUSED_WITH
}
