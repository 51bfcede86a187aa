/*
 * mutate.c: mutated sketches for a target's fuzz target, without a fuzzing engine
 *
 *     mutate COUNT [SEED]        so many mutations, the same for the same seed
 *     mutate --seeds FOLDER      write the seeds as files, for libFuzzer
 *
 * Sketches of all sizes and encodings, some of them of a kind with a signature, are made and
 * damaged. Bits are flipped, bytes set, and sketches are cut off, made longer or spliced. The
 * signature is changed, taken out or put in. Targets add their own ways.
 */
#include "fuzz.h"
#include "mutate.h"

#include "varint.h"

#define WAYS	7				/* that need not know what they damage */
#define KIND_WAYS	2			/* that know the kind in a sketch's header */
#define DATA_WAYS	5			/* that know where the data begins */

static uint64_t state;

uint64_t
next_random(void)
{
	uint64_t	z = (state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

size_t
below(size_t n)
{
	return (size_t) (next_random() % n);
}

void
remove_bytes(victim *v, size_t at, size_t n)
{
	memmove(v->bytes + at, v->bytes + at + n, v->len - at - n);
	v->len -= n;
}

void
insert_bytes(victim *v, size_t at, const uint8_t *bytes, size_t n)
{
	if (v->len + n > v->space)
		return;
	memmove(v->bytes + at + n, v->bytes + at, v->len - at);
	memmove(v->bytes + at, bytes, n);
	v->len += n;
}

void
edit_varint(victim *v, size_t at, uint64_t value)
{
	uint8_t		bytes[PDS_VARINT_MAX_BYTES];
	uint64_t	before;
	size_t		n = at < v->len ? pds_varint_get(v->bytes + at, v->len - at, &before) : 0;

	if (n == 0)
		return;
	remove_bytes(v, at, n);
	insert_bytes(v, at, bytes, pds_varint_put(bytes, value));
}

uint64_t
odd_number(void)
{
	static const uint64_t odd[] = {0, 1, 2, 3, 7, 127, 128, 16383, 16384, 0x7fffffff,
	0x80000000, 0xffffffff, UINT64_C(0x7fffffffffffffff), ~UINT64_C(0)};

	return below(2) == 0 ? odd[below(sizeof(odd) / sizeof(odd[0]))] :
		next_random() >> below(64);
}

void
flip_data(victim *v, size_t head)
{
	size_t		n = 1 + below(4);

	if (v->len <= head)
		return;
	for (size_t i = 0; i < n; i++)
		v->bytes[head + below(v->len - head)] ^= (uint8_t) (1 << below(8));
}

void
exchange_runs(victim *v, size_t head)
{
	size_t		n = 1 + below(8);
	size_t		a;
	size_t		b;

	if (v->len < head + 3 + 2 * n)
		return;
	a = head + below(v->len - head - n);
	b = head + below(v->len - head - n);
	for (size_t i = 0; i < n; i++)
	{
		uint8_t		byte = v->bytes[a + i];

		v->bytes[a + i] = v->bytes[b + i];
		v->bytes[b + i] = byte;
	}
}

void
take_data(victim *v, size_t head, const payload *other)
{
	if (head >= v->len || head >= other->len || other->len > v->space)
		return;
	memcpy(v->bytes + head, other->bytes + head, other->len - head);
	v->len = other->len;
}

/* ---------- data behind a head ---------- */

static void
damage_data(victim *v, int way, const payload *other)
{
	uint64_t	entries = 0;
	size_t		at = the_target.data_at(v, &entries);

	switch (way)
	{
		case 0:
			/* codes, or bits of arrays */
			flip_data(v, at);
			break;
		case 1:
			exchange_runs(v, at);
			break;
		case 2:
			take_data(v, at, other);
			break;
		case 3:
			/* the last bits, where padding is */
			if (v->len > 8)
				v->bytes[v->len - 1 - below(2)] ^= (uint8_t) (1 << below(8));
			break;
		case 4:
			/* an entry of the directory */
			if (entries > 1 && at + 4 * entries <= v->len)
			{
				uint8_t    *entry = v->bytes + at + 4 * below((size_t) entries);
				uint32_t	end = pds_load_le32(entry);

				pds_store_le32(entry, below(2) == 0 ? end + (uint32_t) below(9) - 4 :
							   (uint32_t) odd_number());
			}
			break;
	}
}

/* ---------- kinds with a signature ---------- */

/* Is this the header of a sketch whose kind has, or may get, a signature? */
static bool
has_kind(const victim *v, bool with_signature)
{
	if (v->len <= PDS_HEADER_BYTES || v->bytes[1] >> 4 >= the_target.signed_families)
		return false;
	return !with_signature ? v->bytes[2] == the_target.plain_kind :
		v->len >= PDS_HEADER_MAX_BYTES && pds_kind_code_valid(v->bytes[2]) &&
		pds_kind_has_signature(v->bytes[2]);
}

/* Give the kind in the header a signature, if it is the plain one. */
static void
sign(victim *v)
{
	static const uint8_t codes[] = {PDS_KIND_RECORD, PDS_KIND_MULTIRANGE, PDS_KIND_COLLATED,
		PDS_KIND_OPCLASS, PDS_KIND_NUMBER | PDS_KIND_RANGE, PDS_KIND_RECORD | PDS_KIND_ARRAY,
	PDS_KIND_NESTED | PDS_KIND_ARRAY};
	uint8_t		signature[PDS_KIND_SIGNATURE_BYTES];

	if (!has_kind(v, false) || v->len + sizeof(signature) > v->space)
		return;
	v->bytes[2] = codes[below(sizeof(codes))];
	pds_store_le32(signature, (uint32_t) odd_number());
	insert_bytes(v, PDS_HEADER_BYTES, signature, sizeof(signature));
}

/* The target's damage, to what the sketch would be without a signature. */
static void
damage_as_plain(victim *v, int way, size_t where, const payload *other)
{
	uint8_t		head[PDS_HEADER_MAX_BYTES];
	bool		is_signed = has_kind(v, true);

	if (is_signed)
	{
		memcpy(head, v->bytes, sizeof(head));
		remove_bytes(v, PDS_HEADER_BYTES, PDS_KIND_SIGNATURE_BYTES);
		v->bytes[2] = the_target.plain_kind;
	}
	if (way < the_target.ways)
		the_target.damage(v, way, where, other);
	else
		damage_data(v, way - the_target.ways, other);
	/* one that has another kind now is left with that */
	if (is_signed && has_kind(v, false))
	{
		v->bytes[2] = head[2];
		insert_bytes(v, PDS_HEADER_BYTES, head + PDS_HEADER_BYTES, PDS_KIND_SIGNATURE_BYTES);
	}
}

/* Put a signature in, take it out, or make it another. */
static void
damage_kind(victim *v, int way)
{
	if (!has_kind(v, true))
		sign(v);
	else if (way == 0)
	{
		remove_bytes(v, PDS_HEADER_BYTES, PDS_KIND_SIGNATURE_BYTES);
		v->bytes[2] = the_target.plain_kind;
	}
	else
		v->bytes[PDS_HEADER_BYTES + below(PDS_KIND_SIGNATURE_BYTES)] ^= (uint8_t) (1 << below(8));
}

static void
mutate(victim *v, const payload *other)
{
	static const uint8_t extremes[] = {0, 1, 0x7f, 0x80, 0xff, 0x55};
	size_t		where = v->len > 0 ? below(v->len) : 0;
	size_t		n;
	int			way;

	/* half of what hits one place hits the head */
	if (below(2) == 0 && v->len > 40)
		where = below(40);
	way = (int) below((size_t) (WAYS + KIND_WAYS + the_target.ways +
								(the_target.data_at != NULL ? DATA_WAYS : 0)));
	switch (way)
	{
		case 0:
			if (v->len > 0)
				v->bytes[where] ^= (uint8_t) (1 << below(8));
			break;
		case 1:
			if (v->len > 0)
				v->bytes[where] = below(2) == 0 ? (uint8_t) next_random() : extremes[below(6)];
			break;
		case 2:
			v->len = below(4) == 0 && v->len > 0 ? v->len - 1 : below(v->len + 1);
			break;
		case 3:
			n = 1 + below(20);
			if (v->len + n <= v->space)
			{
				memset(v->bytes + v->len, extremes[below(6)], n);
				v->len += n;
			}
			break;
		case 4:
			/* our beginning, the other's end */
			n = below(other->len + 1);
			if (where + n <= v->space)
			{
				memcpy(v->bytes + where, other->bytes + other->len - n, n);
				v->len = where + n;
			}
			break;
		case 5:
			if (v->len > 0)
				remove_bytes(v, where, 1 + below(v->len - where < 5 ? v->len - where : 5));
			break;
		case 6:
			insert_bytes(v, where, other->bytes, other->len < 4 ? other->len : 1 + below(4));
			break;
		case 7:
		case 8:
			damage_kind(v, way - WAYS);
			break;
		default:
			damage_as_plain(v, way - WAYS - KIND_WAYS, where, other);
			break;
	}
}

/* ---------- seeds ---------- */

/* The seed of this number, every third of them with a signature. */
static payload
make_seed(int group, int fill)
{
	payload		seed = the_target.make_seed(group, fill);
	victim		v = {seed.bytes, seed.len, seed.len + PDS_KIND_SIGNATURE_BYTES};

	if (fill % 3 != 2)
		return seed;
	v.bytes = realloc(seed.bytes, v.space);
	if (v.bytes == NULL)
		sketch_die("out of memory");
	sign(&v);
	seed = payload_copy(v.bytes, v.len);
	free(v.bytes);
	return seed;
}

static int
write_seeds(const char *folder)
{
	for (int group = the_target.first; group <= the_target.last; group++)
	{
		for (int fill = 0; fill < the_target.fills; fill++)
		{
			payload		seed = make_seed(group, fill);
			char		name[512];
			FILE	   *f;

			snprintf(name, sizeof(name), "%s/%s-%02d-%02d", folder, the_target.name, group, fill);
			f = seed.len < 8000 ? fopen(name, "wb") : NULL;
			if (f != NULL)
			{
				fwrite(seed.bytes, 1, seed.len, f);
				fclose(f);
			}
			payload_free(&seed);
		}
	}
	return 0;
}

/* So many mutations of a group's seeds. */
static void
run_group(int group, uint64_t count)
{
	uint64_t	accepted = fuzz_counts.all - fuzz_counts.refused;
	payload    *seeds = sketch_memory((size_t) the_target.fills * sizeof(payload));
	size_t		longest = 0;
	victim		v;

	for (int i = 0; i < the_target.fills; i++)
	{
		seeds[i] = make_seed(group, i);
		if (seeds[i].len > longest)
			longest = seeds[i].len;
		LLVMFuzzerTestOneInput(seeds[i].bytes, seeds[i].len);
	}
	accepted += (uint64_t) the_target.fills;
	if (fuzz_counts.all - fuzz_counts.refused != accepted)
		sketch_die("a seed is refused");
	v.space = longest + 300;
	v.bytes = sketch_memory(v.space);
	for (uint64_t i = 0; i < count; i++)
	{
		const payload *seed = &seeds[below((size_t) the_target.fills)];
		size_t		rounds = 1 + (below(3) == 0 ? below(6) : 0);

		memcpy(v.bytes, seed->bytes, seed->len);
		v.len = seed->len;
		for (size_t round = 0; round < rounds; round++)
			mutate(&v, &seeds[below((size_t) the_target.fills)]);
		LLVMFuzzerTestOneInput(v.bytes, v.len);
	}
	printf("ok - %s %s %d: %llu mutations, %llu of them still a sketch\n",
		   the_target.name, the_target.group, group, (unsigned long long) count,
		   (unsigned long long) (fuzz_counts.all - fuzz_counts.refused - accepted));
	for (int i = 0; i < the_target.fills; i++)
		payload_free(&seeds[i]);
	free(seeds);
	free(v.bytes);
}

int
main(int argc, char **argv)
{
	uint64_t	count = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000;
	uint64_t	weights = 0;

	if (argc > 2 && strcmp(argv[1], "--seeds") == 0)
		return write_seeds(argv[2]);
	state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	setvbuf(stdout, NULL, _IOLBF, 0);

	/* large ones take long: fewer of them */
	for (int group = the_target.first; group <= the_target.last; group++)
		weights += the_target.weight(group);
	for (int group = the_target.first; group <= the_target.last; group++)
		run_group(group, count * the_target.weight(group) / weights + 1);
	printf("# %s: %llu executions: %llu refused (%llu of them with a good head), "
		   "%llu accepted (%llu %s, %llu %s, %llu %s)\n", the_target.name,
		   (unsigned long long) fuzz_counts.all,
		   (unsigned long long) fuzz_counts.refused,
		   (unsigned long long) fuzz_counts.opened,
		   (unsigned long long) (fuzz_counts.all - fuzz_counts.refused),
		   (unsigned long long) fuzz_counts.accepted[0], the_target.encodings[0],
		   (unsigned long long) fuzz_counts.accepted[1], the_target.encodings[1],
		   (unsigned long long) fuzz_counts.accepted[2], the_target.encodings[2]);
	return 0;
}
