/*
 * hll_foreign_mutate.c: sketches of other systems for mutate.c, and ways of
 * damaging them with care
 */
#include "hll_foreign_made.h"
#include "mutate.h"

#define POSTGRESQL_HLL	0
#define REDIS			1
#define DATASKETCHES	2

#define FILLS	14

/* ---------- seeds ---------- */

/* One in "of" registers set, to values up to "top", few of them high. */
static void
random_registers(uint8_t *registers, int p, size_t of, int top)
{
	for (uint32_t i = 0; i < pds_hll_registers(p); i++)
	{
		size_t		v = 1 + below(below(20) == 0 ? (size_t) top : 12);

		registers[i] = below(of) == 0 ? (uint8_t) (v < (size_t) top ? v : (size_t) top) : 0;
	}
}

static payload
seed_v1(int fill, uint8_t *registers)
{
	int			p = 4 + fill % 10;
	int			w = 1 + fill % 7;
	int			top = (1 << w) - 1 < pds_hll_max_rank(p) ? (1 << w) - 1 : pds_hll_max_rank(p);
	static const char *const small[] = {"108b7f", "118b7f", "128b7f004403b7fb05c44a", "138b40"};

	if (fill < 4)
		return payload_from_hex(small[fill]);
	random_registers(registers, p, 1 + (size_t) (fill % 4) * 7, top);
	registers[3] = 1;
	return foreign_v1(registers, p, w, fill % 2 == 0 ? PDS_HLL_V1_SPARSE : PDS_HLL_V1_FULL, 0x7f);
}

static payload
seed_redis(int fill, uint8_t *registers)
{
	random_registers(registers, PDS_HLL_REDIS_PRECISION, (size_t) 1 << fill,
					 fill % 3 == 0 ? 51 : 32);
	if (fill == 0)
		memset(registers, 0, 1 << PDS_HLL_REDIS_PRECISION);
	return fill % 3 == 0 ? foreign_redis_dense(registers) :
		foreign_redis_sparse(registers, fill % 3 == 1 ? next_random : NULL);
}

static payload
seed_datasketches(int fill, uint8_t *registers)
{
	uint32_t	coupons[400];
	int			lg_k = 4 + fill % 9;
	uint32_t	n = fill < 3 ? (uint32_t) fill * 3 : fill == 4 ? 20 : 90;

	for (uint32_t i = 0; i < n; i++)
		coupons[i] = (uint32_t) (1 + below(20)) << 26 | (uint32_t) below(1 << 26);
	if (fill < 3)
		return foreign_coupons(coupons, n, lg_k, false, fill != 1);
	if (fill < 7)
		return foreign_coupons(coupons, n, 10 + fill % 3, true, fill % 2 == 0);
	random_registers(registers, lg_k, 1, 63);
	return foreign_registers(registers, lg_k, 4 + 2 * (fill % 3), fill % 2 == 0);
}

static payload
make_seed(int group, int fill)
{
	uint8_t    *registers = sketch_memory(1 << 14);
	payload		seed = group == POSTGRESQL_HLL ? seed_v1(fill, registers) :
		group == REDIS ? seed_redis(fill, registers) : seed_datasketches(fill, registers);

	free(registers);
	return seed;
}

/* ---------- mutations ---------- */

static void
damage(victim *v, int way, size_t where, const payload *other)
{
	static const size_t heads[] = {3, 16, 8, 12, 40};
	size_t		head = heads[below(5)];

	(void) other;
	switch (way)
	{
		case 0:
			flip_data(v, head);
			break;
		case 1:
			exchange_runs(v, head);
			break;
		case 2:
			/* parameters to what they might be */
			if (v->len > 8)
				v->bytes[below(8)] = (uint8_t) below(33);
			break;
		case 3:
			/* a number in four bytes */
			if (v->len >= 40)
				pds_store_le32(v->bytes + (below(2) == 0 ? 8 : 36), (uint32_t) odd_number());
			break;
		case 4:
			/* four bytes twice, as coupons are */
			if (where + 4 <= v->len)
			{
				uint8_t		four[4];

				memcpy(four, v->bytes + where, 4);
				insert_bytes(v, where, four, 4);
			}
			break;
	}
}

static uint64_t
weight(int group)
{
	return group == POSTGRESQL_HLL ? 5 : group == REDIS ? 2 : 5;
}

const mutate_target the_target = {
	.name = "hll_foreign",
	.group = "system",
	.first = POSTGRESQL_HLL,
	.last = DATASKETCHES,
	.fills = FILLS,
	.ways = 5,
	.encodings = {"postgresql-hll", "Redis", "DataSketches"},
	.weight = weight,
	.make_seed = make_seed,
	.damage = damage,
};
