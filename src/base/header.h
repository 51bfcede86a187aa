/*
 * header.h: the bytes that every stored sketch and every state begins with
 *
 * A stored sketch:
 *
 *     0     type | version    sketch type (high four bits), format version (low four)
 *     1     family | encoding hash family (high four bits), encoding (low four)
 *     2     kind of value     the code of kind.h
 *     3     4 bytes           only if that code has one: the kind's signature,
 *                             little-endian
 *     ...                     what the module of the type says: its parameters, then
 *                             its data
 *
 * These bytes follow PostgreSQL's varlena length word, which is no part of what
 * is sent, printed or cast to bytea.
 *
 * A state, the building form that an aggregate changes in place, in native byte
 * order:
 *
 *     0     4 bytes           the varlena length word
 *     4     3 bytes           as above, with the encoding PDS_ENCODING_BUILDING
 *     7     1 byte            the module's
 *     8     4 bytes           the kind's signature, or 0
 *     12                      the module's
 */
#ifndef PDS_BASE_HEADER_H
#define PDS_BASE_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bits.h"
#include "kind.h"
#include "status.h"

#define PDS_HEADER_BYTES		3	/* without a signature */
#define PDS_HEADER_MAX_BYTES	(PDS_HEADER_BYTES + PDS_KIND_SIGNATURE_BYTES)
#define PDS_VERSION				1

typedef enum pds_sketch_type
{
	PDS_TYPE_HLL = 1,
	PDS_TYPE_BLOOM = 2,
	PDS_TYPE_CMS = 3,
	PDS_TYPE_TOPK = 4,
	PDS_TYPE_CUCKOO = 5,
	PDS_TYPE_COUNTING_BLOOM = 6,
	PDS_TYPE_SCALABLE_BLOOM = 7,
	PDS_TYPE_MINHASH = 8
} pds_sketch_type;

/* How values became hashes.  Sketches merge only within a family. */
typedef enum pds_family
{
	PDS_FAMILY_NATIVE = 0		/* MurmurHash3 x64_128, seed 0, doc/hashing.md */
} pds_family;

/* The encodings below this are the module's; this one is common to all. */
#define PDS_ENCODING_EMPTY		0
/* an aggregate's state, in the server's memory only: never stored or sent */
#define PDS_ENCODING_BUILDING	15

static inline uint8_t
pds_header_byte0(pds_sketch_type type)
{
	return (uint8_t) ((type << 4) | PDS_VERSION);
}

/* ---------- stored sketches ---------- */

/*
 * Write a header at out; returns how many bytes it takes.  A sketch that holds
 * nothing (encoding PDS_ENCODING_EMPTY) has no kind.
 */
static inline size_t
pds_header_put(uint8_t *out, pds_sketch_type type, uint8_t family, uint8_t encoding,
			   pds_kind kind)
{
	if (encoding == PDS_ENCODING_EMPTY)
		kind = PDS_KIND_NONE;
	out[0] = pds_header_byte0(type);
	out[1] = (uint8_t) (family << 4 | encoding);
	out[2] = pds_kind_code(kind);
	if (!pds_kind_has_signature(out[2]))
		return PDS_HEADER_BYTES;
	pds_store_le32(out + PDS_HEADER_BYTES, pds_kind_signature(kind));
	return PDS_HEADER_MAX_BYTES;
}

/* How many bytes that takes. */
static inline size_t
pds_header_bytes(uint8_t encoding, pds_kind kind)
{
	return encoding != PDS_ENCODING_EMPTY && pds_kind_has_signature(pds_kind_code(kind)) ?
		PDS_HEADER_MAX_BYTES : PDS_HEADER_BYTES;
}

typedef struct pds_header
{
	uint8_t		family;
	uint8_t		encoding;
	pds_kind	kind;
	size_t		bytes;			/* how long it is */
} pds_header;

/*
 * Read the header of a sketch of a type that has hash families from 0 to below
 * "families"; the module looks at the encoding itself.  The first "have" bytes of
 * the payload are at payload.  Errors: PDS_CORRUPT, with a sentence in *why (which
 * may be NULL).
 */
extern pds_status pds_header_open(pds_header *h, const uint8_t *payload, size_t have,
								  pds_sketch_type type, uint8_t families, const char **why);

/* What the view of a stored sketch begins with. */
#define PDS_VIEW_HEAD \
	const uint8_t *payload; \
	size_t		len;			/* of the payload */ \
	size_t		data_at;		/* where what is read next begins */ \
	pds_kind	kind; \
	uint8_t		family; \
	uint8_t		encoding

typedef struct pds_view_head
{
	PDS_VIEW_HEAD;
} pds_view_head;

/* Read the header of a payload of len bytes, as pds_header_open(), into the head of a view. */
extern pds_status pds_view_open(void *view, const uint8_t *payload, size_t have, size_t len,
								pds_sketch_type type, uint8_t families, const char **why);

/* The kind that a stored sketch's header tells; PDS_KIND_NONE if it is cut off. */
extern pds_kind pds_header_kind(const uint8_t *payload, size_t have);

/* ---------- states ---------- */

/* The head of every state; the module's own struct begins with the same fields. */
typedef struct pds_state_head
{
	uint32_t	varlena;
	uint8_t		header[PDS_HEADER_BYTES];
	uint8_t		own;
	uint32_t	signature;
} pds_state_head;

/* Begin a state: of this type and family, holding nothing. */
static inline void
pds_state_init(void *state, pds_sketch_type type, uint8_t family)
{
	pds_state_head *head = state;

	head->header[0] = pds_header_byte0(type);
	head->header[1] = (uint8_t) (family << 4 | PDS_ENCODING_BUILDING);
	head->header[2] = PDS_KIND_NONE;
	head->signature = 0;
}

static inline uint8_t
pds_state_family(const void *state)
{
	return ((const pds_state_head *) state)->header[1] >> 4;
}

static inline pds_kind
pds_state_kind(const void *state)
{
	const pds_state_head *head = state;

	return pds_kind_make(head->header[2], head->signature);
}

static inline void
pds_state_set_kind(void *state, pds_kind kind)
{
	pds_state_head *head = state;

	head->header[2] = pds_kind_code(kind);
	head->signature = pds_kind_signature(kind);
}

/* "to" becomes of the family and kind that "from" is of. */
static inline void
pds_state_copy_head(void *to, const void *from)
{
	memcpy(((pds_state_head *) to)->header, ((const pds_state_head *) from)->header,
		   PDS_HEADER_BYTES);
	((pds_state_head *) to)->signature = ((const pds_state_head *) from)->signature;
}

/*
 * Returns whether we can have made a state with this head, of this type and with a family below
 * "families". size is the size of the whole state.
 */
static inline bool
pds_state_head_valid(const void *state, size_t size, pds_sketch_type type, uint8_t families)
{
	const pds_state_head *head = state;

	return size >= sizeof(*head) && head->header[0] == pds_header_byte0(type) &&
		(head->header[1] & 0x0f) == PDS_ENCODING_BUILDING &&
		pds_state_family(state) < families && pds_kind_code_valid(head->header[2]) &&
		(head->signature == 0 || pds_kind_has_signature(head->header[2]));
}

#endif
