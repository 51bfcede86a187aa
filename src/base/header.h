/*
 * header.h: the bytes that every stored sketch and every state begins with
 *
 * A stored sketch:
 *
 *     0     type | version    sketch type (high four bits), format version (low four).  Of an
 *                             hll versions 0, 2, 3 and 4 stay unused: so begin the sketches of
 *                             postgresql-hll (hll_foreign.h)
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
 *     4     3 bytes           as above, with PDS_STATE_VERSION and the encoding
 *                             PDS_ENCODING_BUILDING
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

/*
 * Of states, whose layout may change with each release, and then this number does.  No other
 * release can read one.
 */
#define PDS_STATE_VERSION		3

typedef enum pds_sketch_type
{
	PDS_TYPE_HLL = 1,
	PDS_TYPE_BLOOM = 2,
	PDS_TYPE_CMS = 3,
	PDS_TYPE_TOPK = 4,
	PDS_TYPE_CUCKOO = 5,
	PDS_TYPE_COUNTING_BLOOM = 6,
	PDS_TYPE_SCALABLE_BLOOM = 7,
	PDS_TYPE_MINHASH = 8,
	PDS_TYPE_DDSKETCH = 9,
	PDS_TYPE_FUSE = 10
} pds_sketch_type;

/* How values became hashes.  Sketches merge only within a family. */
#define PDS_FAMILY_NATIVE		0	/* MurmurHash3 x64_128, seed 0, doc/hashing.md */

/* The encodings below this are the module's; this one is common to all. */
#define PDS_ENCODING_EMPTY		0
/*
 * An aggregate's state: never sent, and stored only by an aggregate that somebody made without our
 * final function
 */
#define PDS_ENCODING_BUILDING	15

static inline uint8_t
pds_header_byte0(pds_sketch_type type)
{
	return (uint8_t) ((type << 4) | PDS_VERSION);
}

static inline uint8_t
pds_state_byte0(pds_sketch_type type)
{
	return (uint8_t) ((type << 4) | PDS_STATE_VERSION);
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

typedef struct PDS_HEAD pds_view_head
{
	PDS_VIEW_HEAD;
} pds_view_head;

#define PDS_VIEW_HEAD_BYTES		(offsetof(pds_view_head, encoding) + 1)

/* Set what stands behind the head of a view to zero. */
#define PDS_VIEW_CLEAR(v) \
	memset((uint8_t *) (v) + PDS_VIEW_HEAD_BYTES, 0, sizeof(*(v)) - PDS_VIEW_HEAD_BYTES)

/*
 * Declare what every module has for its stored form:
 *
 *     pds_<x>_open()     Reads the head of a payload of len bytes into a view.  The first "have"
 *                        bytes are at payload: all, or at least PDS_<X>_MAX_PREFIX.
 *                        Errors: PDS_CORRUPT, with a sentence in *why (which may be NULL).
 *     pds_<x>_check()    Checks that this library can have written the len bytes at payload
 *                        as a sketch.  The one gate for text, binary and bytea input.
 *                        Errors: PDS_CORRUPT, with a sentence in *why.
 */
#define PDS_VIEW_FUNCTIONS(x) \
	extern pds_status pds_##x##_open(pds_##x##_view *v, const uint8_t *payload, size_t have, \
									 size_t len, const char **why); \
	extern pds_status pds_##x##_check(const uint8_t *payload, size_t len, const char **why)

/*
 * Define these two of a module whose hash families are below "families".  The file has
 * open_fields(v, payload, have, why), which reads what stands behind the header, at v->data_at.  It
 * has check_view(v, why), which checks all that is left open then; its payload is all in memory.
 */
#define PDS_VIEW_READERS(x, type, families) \
	pds_status \
	pds_##x##_open(pds_##x##_view *v, const uint8_t *payload, size_t have, size_t len, \
				   const char **why) \
	{ \
		pds_header	h; \
		pds_status	status = pds_header_open(&h, payload, have, type, families, why); \
		\
		if (status != PDS_OK) \
			return status; \
		v->payload = payload; \
		v->len = len; \
		v->data_at = h.bytes; \
		v->kind = h.kind; \
		v->family = h.family; \
		v->encoding = h.encoding; \
		return open_fields(v, payload, have, why); \
	} \
	pds_status \
	pds_##x##_check(const uint8_t *payload, size_t len, const char **why) \
	{ \
		pds_##x##_view v; \
		pds_status	status = pds_##x##_open(&v, payload, len, len, why); \
		\
		return status == PDS_OK ? check_view(&v, why) : status; \
	}

/* In open_fields(), where no other encoding is left: a sketch that holds nothing ends at "at". */
#define PDS_VIEW_OPEN_EMPTY(v, at, why) \
	do { \
		if ((v)->encoding != PDS_ENCODING_EMPTY) \
			PDS_REFUSE(why, "Its encoding is not known to this release."); \
		if ((v)->len != (at)) \
			PDS_REFUSE(why, "There are bytes after its end."); \
	} while (0)

/*
 * Returns len bytes of the payload, beginning at offset, to a reader that only looks at parts of
 * it.  The reader only asks for bytes within the payload.  The bytes must stay valid until the
 * next call.
 */
typedef const uint8_t *(*pds_fetch) (void *context, size_t offset, size_t len);

/* The fetch function of a view whose payload is all in memory; the context is the view. */
extern const uint8_t *pds_in_memory(void *view, size_t offset, size_t len);

/* The kind that a stored sketch's header tells; PDS_KIND_NONE if it is cut off. */
extern pds_kind pds_header_kind(const uint8_t *payload, size_t have);

/* ---------- states ---------- */

/*
 * What every state begins with: the server's length word, the header, a byte that is the module's
 * own, and the signature of the kind of its values.
 */
#define PDS_STATE_HEAD(own) \
	uint32_t	varlena; \
	uint8_t		header[PDS_HEADER_BYTES]; \
	own; \
	uint32_t	signature

typedef struct PDS_HEAD pds_state_head
{
	PDS_STATE_HEAD(uint8_t own);
} pds_state_head;

/* Begin a state: of this type and family, holding nothing. */
static inline void
pds_state_init(void *state, pds_sketch_type type, uint8_t family)
{
	pds_state_head *head = state;

	head->header[0] = pds_state_byte0(type);
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

	return size >= sizeof(*head) && head->header[0] == pds_state_byte0(type) &&
		(head->header[1] & 0x0f) == PDS_ENCODING_BUILDING &&
		pds_state_family(state) < families && pds_kind_code_valid(head->header[2]) &&
		(head->signature == 0 || pds_kind_has_signature(head->header[2]));
}

/*
 * Define pds_<x>_check_build() of a module, for images of at least so many bytes.  The file has
 * build_valid(b, size), which checks what stands behind the head.
 */
#define PDS_STATE_CHECK(x, type, families, least) \
	bool \
	pds_##x##_check_build(const void *image, size_t size) \
	{ \
		return size >= (least) && pds_state_head_valid(image, size, type, families) && \
			build_valid(image, size); \
	}

#endif
