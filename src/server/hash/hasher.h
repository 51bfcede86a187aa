/*
 * hasher.h: how the values of one type are hashed
 *
 * A hasher holds all that was looked up about one type (and collation), so that
 * nothing is looked up again from row to row.  The way of a value, from top to bottom:
 *
 *     call_argument.c      an argument of a call       -> its hasher
 *     literal.c            ... a literal or parameter declared as text
 *     argument.c           ... what the call's expression says about it
 *     type_hasher.c        a type                      -> its hasher: kind and shape
 *     canonical_scalar.c   \
 *     canonical_string.c    |  a value of that shape   -> its canonical bytes
 *     canonical_nested.c    |
 *     canonical_opclass.c  /
 *     hasher.c             these bytes, of any shape   -> a sink
 *     byte_sink.c          a sink                      -> MurmurHash3
 *
 * No file calls one that is above it.  value_text.c is another way down: the text
 * of a value.  Modules use call_argument.h.
 */
#ifndef PDS_SERVER_HASH_HASHER_H
#define PDS_SERVER_HASH_HASHER_H

#include "postgres.h"

#include "fmgr.h"
#include "catalog/pg_type.h"
#include "nodes/nodes.h"
#include "utils/jsonb.h"
#include "utils/typcache.h"

#include "compat.h"
#include "kind.h"
#include "murmur3.h"
#include "byte_sink.h"

/* How the values of one type (and collation) are hashed. */
typedef struct PdsHasher PdsHasher;

/* Writes the bytes of a value at out, at most PDS_PUT_MAX; returns how many. */
typedef size_t (*PdsPut) (PdsHasher *hasher, Datum value, uint8 *out);

#define PDS_PUT_MAX		(4 * NAMEDATALEN)	/* a name, in UTF-8 */

/* Appends the bytes of a value to a sink. */
typedef void (*PdsAppend) (PdsHasher *hasher, Datum value, PdsSink *sink);

/* Where the canonical bytes of a type come from */
typedef enum PdsShape
{
	PDS_SHAPE_PUT,				/* few bytes, from put() */
	PDS_SHAPE_BYTES,			/* those of the varlena value itself */
	PDS_SHAPE_TEXT,				/* the same in UTF-8, without the padding of a char(n) */
	PDS_SHAPE_APPEND			/* any number of bytes, from append() */
} PdsShape;

struct PdsHasher
{
	/* what it was looked up for, and (call_argument.c) the others of a call site */
	Node	   *fn_expr;
	int			argno;
	Oid			argtype;
	Oid			call_collation;
	bool		by_want;		/* a literal: another "want" may need another hasher */
	pds_kind	want;
	PdsHasher  *next;

	/* what that led to */
	pds_kind	kind;			/* of records: the kind of the value hashed last */
	bool		varies;			/* records: each value tells its kind */
	PdsShape	shape;
	Oid			typid;			/* never a domain */
	Oid			collation;
	bool		reads;			/* its values are text, read as another type */
	bool		recodes;		/* text of the database is not in UTF-8 */
	PdsPut		put;
	PdsAppend	append;
	void	   *detail;			/* what put or append need to know */
	MemoryContext mcxt;			/* where this and all below it live */
	PdsSink		sink;			/* for the value being hashed or framed, or its text */
	FmgrInfo   *output;			/* value_text.c: NULL until it is needed */
	FmgrInfo   *array_in;		/* call_argument.c: the same */
};

/*
 * The kind of the value that was hashed last.  It is the same for all values but
 * records, whose columns may differ; before the first value it is what the type tells.
 */
extern pds_kind pds_hasher_kind(const PdsHasher *hasher);

extern pds_hash pds_hasher_hash(PdsHasher *hasher, Datum value);

/* A hasher that has nothing but a place to live. */
extern PdsHasher *pds_hasher_blank(MemoryContext mcxt);

/* Append the canonical bytes of a value. */
extern void pds_append(PdsHasher *hasher, Datum value, PdsSink *sink);

/* The same, after their length as a 32-bit number. */
extern void pds_append_framed(PdsHasher *hasher, Datum value, PdsSink *sink);

typedef PdsHasher *(*PdsLookup) (Oid typid, Oid collation, MemoryContext mcxt);

/* canonical_scalar.c: false when the type is none of its own. */
extern bool pds_scalar_setup(PdsHasher *hasher, Oid typid);
extern size_t pds_put_int64(PdsHasher *hasher, Datum value, uint8 *out);

/* canonical_string.c: the same, of text, varchar, bpchar, name and "char"; and others. */
extern bool pds_string_setup(PdsHasher *hasher);
extern text *pds_string_as_text(Oid typid, Datum value);
extern void pds_enum_setup(PdsHasher *hasher);
extern void pds_citext_setup(PdsHasher *hasher);

/* canonical_opclass.c: a type that is known by its hash operator class alone. */
extern void pds_opclass_setup(PdsHasher *hasher, Oid typid);

/* canonical_nested.c: types that consist of others, whose hashers are given. */
extern void pds_array_setup(PdsHasher *hasher, Oid element_type, PdsHasher *element);
extern void pds_range_setup(PdsHasher *hasher, TypeCacheEntry *type, PdsHasher *bound);
extern void pds_multirange_setup(PdsHasher *hasher, TypeCacheEntry *type, PdsHasher *bound);
extern void pds_record_setup(PdsHasher *hasher, PdsLookup lookup);
extern void pds_jsonb_setup(PdsHasher *hasher);

/*
 * A document of a database in another encoding, with its strings in UTF-8.  The document is put
 * together again, because the keys of an object are ordered by their bytes.
 */
extern Jsonb *pds_json_in_utf8(Jsonb *json);

/*
 * literal.c: the hasher that reads a text as a value of kind "want", which is not text itself,
 * allocated in mcxt.  Errors: 42804 if the text of such values has more than one reading.
 */
extern PdsHasher *pds_hasher_for_literal(pds_kind want, MemoryContext mcxt);

/* The value that a text is read as, and the hasher of that.  Errors: 22P02 and others. */
extern Datum pds_literal_value(PdsHasher *hasher, Datum text, PdsHasher **read);

#endif
