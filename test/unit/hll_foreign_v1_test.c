/*
 * hll_foreign_v1_test.c: the sketches of postgresql-hll, read and written
 */
#include "test.h"

#include "hll_foreign_made.h"

static uint8_t registers[1 << PDS_HLL_MAX_PRECISION];
static uint8_t back[1 << PDS_HLL_MAX_PRECISION];

/* Read, from memory of just this length: the status, and registers in "back". */
static pds_status
read_v1(const payload *p, pds_hll_v1 *s, uint32_t *full)
{
	const char *why = NULL;
	pds_status	status = pds_hll_v1_open(s, p->bytes, p->len, &why);

	if (status == PDS_OK && s->type >= PDS_HLL_V1_SPARSE &&
		s->form.log2m >= PDS_HLL_MIN_PRECISION && s->form.log2m <= PDS_HLL_MAX_PRECISION)
		status = pds_hll_v1_registers(s, back, full, &why);
	CHECK(status == PDS_OK || (status == PDS_CORRUPT && why != NULL));
	return status;
}

static payload
write_v1(const uint8_t *r, int log2m, int regwidth, int expthresh, bool sparseon)
{
	pds_hll_v1_form form;
	uint8_t    *out;
	payload		p;

	form.log2m = (uint8_t) log2m;
	form.regwidth = (uint8_t) regwidth;
	form.expthresh = (uint8_t) expthresh;
	form.sparseon = sparseon;
	out = sketch_memory(pds_hll_v1_bound(&form));
	p = payload_copy(out, pds_hll_v1_write(r, &form, out));
	free(out);
	return p;
}

static void
check_hex(payload p, const char *hex)
{
	payload		want = payload_from_hex(hex);

	if (CHECK_U64(p.len, want.len))
		CHECK_BYTES(p.bytes, want.bytes, p.len);
	payload_free(&want);
	payload_free(&p);
}

/* Of the bigints 1 to 100, as postgresql-hll itself writes them. */
TEST(known_registers)
{
	sketch		s = sketch_dense(4);
	sketch		nothing = sketch_dense(14);

	sketch_add_integers(&s, 1, 100);
	pds_hll_flush(s.b);
	check_hex(write_v1(pds_hll_build_registers(s.b), 4, 5, 0, false),
			  "148400298680988119863288a2");
	check_hex(write_v1(pds_hll_build_registers(s.b), 4, 6, 0, false),
			  "14a4001460c80461010c60c3142142");
	check_hex(write_v1(pds_hll_build_registers(nothing.b), 14, 6, 63, true), "11ae7f");
	sketch_free(&s);
	sketch_free(&nothing);
}

TEST(known_hashes)
{
	payload		p = payload_from_hex("128b7f004403b7fb05c44a");
	pds_hll_v1	s;
	uint32_t	full;

	CHECK_U64(read_v1(&p, &s, &full), PDS_OK);
	CHECK_U64(s.type, PDS_HLL_V1_EXPLICIT);
	CHECK_U64(s.form.log2m, 11);
	CHECK_U64(s.form.regwidth, 5);
	CHECK_U64(s.form.expthresh, 63);
	CHECK(s.form.sparseon);
	if (CHECK_U64(pds_hll_v1_hashes(&s), 1))
		CHECK_U64(pds_hll_v1_hash(&s, 0), pds_murmur3_u64(1).h1);
	payload_free(&p);

	p = payload_from_hex("138b4015048944");
	CHECK_U64(read_v1(&p, &s, &full), PDS_OK);
	CHECK_U64(s.type, PDS_HLL_V1_SPARSE);
	{
		sketch		two = sketch_dense(11);

		sketch_add_integers(&two, 1, 2);
		pds_hll_flush(two.b);
		CHECK_BYTES(back, pds_hll_build_registers(two.b), 1 << 11);
		check_hex(write_v1(back, 11, 5, 0, true), "138b4015048944");
		sketch_free(&two);
	}
	payload_free(&p);
}

/* Every register of every width and precision, at both ends of a list. */
TEST(all_widths_and_precisions)
{
	for (int p = PDS_HLL_MIN_PRECISION; p <= PDS_HLL_MAX_PRECISION; p++)
	{
		uint32_t	m = pds_hll_registers(p);

		for (int w = 1; w <= 8; w++)
		{
			int			top = pds_hll_max_rank(p) < (1 << w) - 1 ? pds_hll_max_rank(p)
				: (1 << w) - 1;

			for (int round = 0; round < (p <= 10 ? 6 : 2); round++)
			{
				/* all, about half, few */
				size_t		of = round % 3 == 0 ? 1 : round % 3 == 1 ? 2 : m / 3;
				payload		want;
				payload		got;
				pds_hll_v1	s;
				uint32_t	full = 0;
				uint32_t	full_want = 0;
				int			bits = p + w;
				size_t		sparse_bits = 0;
				bool		sparse;

				for (uint32_t i = 0; i < m; i++)
					registers[i] = below(of) == 0 ? (uint8_t) (1 + below((size_t) top)) : 0;
				registers[0] = registers[m - 1] = 1;
				for (uint32_t i = 0; i < m; i++)
				{
					sparse_bits += registers[i] > 0 ? (size_t) bits : 0;
					full_want += top < pds_hll_max_rank(p) && registers[i] == top;
				}
				for (int type = PDS_HLL_V1_SPARSE; type <= PDS_HLL_V1_FULL; type++)
				{
					want = foreign_v1(registers, p, w, type, 0x7f);
					memset(back, 0xee, m);
					if (CHECK_U64(read_v1(&want, &s, &full), PDS_OK))
						CHECK_BYTES(back, registers, m);
					CHECK_U64(full, full_want);
					payload_free(&want);
				}

				/* sparse if that is shorter, unless the padding could be a word */
				sparse = sparse_bits < (size_t) w * m &&
					8 * ((sparse_bits + 7) / 8) / (size_t) bits == sparse_bits / (size_t) bits;
				for (int on = 0; on <= 1; on++)
				{
					want = foreign_v1(registers, p, w, sparse && on ? PDS_HLL_V1_SPARSE
									  : PDS_HLL_V1_FULL,
									  on ? 0x40 : 0);
					got = write_v1(registers, p, w, 0, on != 0);
					if (CHECK_U64(got.len, want.len))
						CHECK_BYTES(got.bytes, want.bytes, want.len);
					payload_free(&got);
					payload_free(&want);
				}
			}
		}
	}
}

/* What does not fit is cut to the largest value that does. */
TEST(values_beyond_the_width_are_cut)
{
	for (int w = 1; w <= 5; w++)
	{
		pds_hll_v1	s;
		uint32_t	full;
		payload		p;
		uint8_t		largest = (uint8_t) ((1 << w) - 1);

		for (int i = 0; i < 1024; i++)
			registers[i] = (uint8_t) below((size_t) pds_hll_max_rank(10) + 1);
		p = write_v1(registers, 10, w, 63, true);
		CHECK_U64(read_v1(&p, &s, &full), PDS_OK);
		for (int i = 0; i < 1024; i++)
			CHECK_U64(back[i], registers[i] < largest ? registers[i] : largest);
		payload_free(&p);
	}
}

/* A word of zeros in the padding is none, as long as words are short. */
TEST(short_words_and_their_padding)
{
	for (int w = 1; w <= 3; w++)
	{
		for (uint32_t n = 1; n <= 16; n++)
		{
			payload		p;
			pds_hll_v1	s;
			uint32_t	full;

			memset(registers, 0, 16);
			for (uint32_t i = 0; i < n; i++)
				registers[15 - i] = 1;
			p = foreign_v1(registers, 4, w, PDS_HLL_V1_SPARSE, 0x40);
			CHECK_U64(read_v1(&p, &s, &full), PDS_OK);
			CHECK_BYTES(back, registers, 16);
			payload_free(&p);
		}
	}
}

TEST(what_is_refused)
{
	static const char *const bad[] = {
		"", "12", "128b",		/* no header */
		"028b7f", "228b7f",		/* schema version */
		"108b7f00", "118b7f00", /* undefined, empty, and then some */
		"118bff",				/* a bit that is always 0 */
		"158b7f", "1f8b7f",		/* no such type */
		"128b7f004403b7fb05c4", /* half a hash */
		"128b7f00000000000000010000000000000001",	/* twice the same hash */
		"128b7f0000000000000001ffffffffffffffff",	/* 1 before -1 */
		"13ab40000081",			/* padding */
		"138b401504894400",		/* a byte too many */
		"138b400000",			/* a register without a value */
		"138b404904841504",		/* not ascending */
		"148400298680988119863288", "148400298680988119863288a200",
		"14e40041000000000000000000000000000000",	/* 65 at precision 4 is too much */
		"14e40000",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
	{
		payload		p = payload_from_hex(bad[i]);
		pds_hll_v1	s;
		uint32_t	full;

		if (!CHECK(read_v1(&p, &s, &full) == PDS_CORRUPT))
			printf("# %s\n", bad[i]);
		payload_free(&p);
	}
}

TEST(what_is_accepted)
{
	static const struct
	{
		const char *hex;
		int			type;
		int			log2m;
		int			regwidth;
	}			good[] = {
		{"108b7f", PDS_HLL_V1_UNDEFINED, 11, 5},
		{"11ff00", PDS_HLL_V1_EMPTY, 31, 8},
		{"128b7f", PDS_HLL_V1_EXPLICIT, 11, 5},
		{"128b7fffffffffffffffff0000000000000001", PDS_HLL_V1_EXPLICIT, 11, 5},
		{"138b40", PDS_HLL_V1_SPARSE, 11, 5},
		{"13ab40000080", PDS_HLL_V1_SPARSE, 11, 6},
		{"14e4003d000000000000000000000000000000", PDS_HLL_V1_FULL, 4, 8},
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
	{
		payload		p = payload_from_hex(good[i].hex);
		pds_hll_v1	s;
		uint32_t	full;

		CHECK_U64(read_v1(&p, &s, &full), PDS_OK);
		CHECK_U64(s.type, (uint64_t) good[i].type);
		CHECK_U64(s.form.log2m, (uint64_t) good[i].log2m);
		CHECK_U64(s.form.regwidth, (uint64_t) good[i].regwidth);
		payload_free(&p);
	}
}
