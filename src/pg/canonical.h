/*
 * canonical.h: the canonical bytes of a value, type by type
 *
 * Inside of src/pg only; the rooms use pg/value.h.  doc/hashing.md says what
 * the bytes are.  A hasher holds all that was looked up about one type (and
 * collation), so that nothing is looked up again from row to row.
 *
 *     canonical.c          from a type to its hasher; hashing and nesting
 *     canonical_scalar.c   built-in types of a few bytes, and numeric
 *     canonical_nested.c   arrays, ranges, multiranges, composites, jsonb
 *     literal.c            literals that have no type yet
 *     argtype.c            what type an argument declared as text really has
 *     text.c               the text of a value, for sketches that keep values
 */
#ifndef PDS_PG_CANONICAL_H
#define PDS_PG_CANONICAL_H

#include "postgres.h"

#include "lib/stringinfo.h"
#include "nodes/nodes.h"

#include "pg/compat.h"
#include "pg/value.h"

#pragma GCC visibility push(hidden)

/* Room for the canonical bytes of every type with a "put" function */
#define PDS_PUT_MAX			NAMEDATALEN

/* Writes the bytes of a value at out, at most PDS_PUT_MAX; returns how many. */
typedef size_t (*PdsPut) (PdsHasher *hasher, Datum value, uint8 *out);

/* Appends the bytes of a value to out. */
typedef void (*PdsAppend) (PdsHasher *hasher, Datum value, StringInfo out);

/* Where the canonical bytes of a type come from */
typedef enum PdsShape
{
	PDS_SHAPE_PUT,				/* few bytes, from put() */
	PDS_SHAPE_BYTES,			/* those of the varlena value itself */
	PDS_SHAPE_BLANK_PADDED,		/* the same without spaces at the end */
	PDS_SHAPE_APPEND			/* any number of bytes, from append() */
} PdsShape;

struct PdsHasher
{
	/* what it was looked up for, and (value.c) the others of a call site */
	Node	   *fn_expr;
	int			argno;
	Oid			argtype;
	Oid			collation;
	pds_kind	want;			/* literals: the kind they are read as */

	/* what that led to */
	pds_kind	kind;
	PdsShape	shape;
	Oid			typid;			/* never a domain */
	PdsPut		put;
	PdsAppend	append;
	void	   *detail;			/* what put or append need to know */
	PdsHasher  *next;
	MemoryContext mcxt;			/* where this and all below it live */
	StringInfoData scratch;		/* bytes of the value being hashed, or its text */
	FmgrInfo   *output;			/* text.c: NULL until it is needed */
};

/* A hasher that has nothing but a place to live. */
extern PdsHasher *pds_hasher_blank(MemoryContext mcxt);

/* Its buffer, emptied. */
extern StringInfo pds_hasher_scratch(PdsHasher *hasher);

/* Is this the type of the citext extension (or a domain over it)? */
extern bool pds_type_is_citext(Oid typid);

/* Text Datum -> the lower-case form that citext's own = compares */
extern void pds_append_citext(PdsHasher *hasher, Datum value, StringInfo out);

/* Append the canonical bytes of a value. */
extern void pds_append(PdsHasher *hasher, Datum value, StringInfo out);

/* The same, after their length as a 32-bit number. */
extern void pds_append_framed(PdsHasher *hasher, Datum value, StringInfo out);

extern void pds_append_u32(StringInfo out, uint32 v);

/* canonical_scalar.c: false when the type is none of its own */
extern bool pds_scalar_setup(PdsHasher *hasher, Oid typid);
extern void pds_append_numeric(PdsHasher *hasher, Datum value, StringInfo out);
extern size_t pds_put_int64(PdsHasher *hasher, Datum value, uint8 *out);
extern size_t pds_put_inet(PdsHasher *hasher, Datum value, uint8 *out);

/* canonical_nested.c: each fills in the hasher of its kind of type */
extern void pds_array_setup(PdsHasher *hasher, Oid element, Oid collation);
extern void pds_range_setup(PdsHasher *hasher, Oid typid);
extern void pds_multirange_setup(PdsHasher *hasher, Oid typid);
extern void pds_record_setup(PdsHasher *hasher);
extern void pds_append_jsonb(PdsHasher *hasher, Datum value, StringInfo out);

/*
 * literal.c: the hasher for a literal of type unknown (a C string), which is
 * read as "want" says
 */
extern PdsHasher *pds_hasher_for_literal(pds_kind want, MemoryContext mcxt);

/* Is it one of these?  The value that a literal was read as, and that one's hasher. */
extern bool pds_is_literal(const PdsHasher *hasher);
extern Datum pds_literal_value(PdsHasher *hasher, Datum literal, PdsHasher **read);

/* argtype.c: the type of an aggregate's argument before it was relabeled */
extern Oid	pds_aggregate_text_type(FunctionCallInfo fcinfo, int argno);

/* The same for a value that must be fetched or decompressed first. */
extern pds_hash pds_hash_toasted(Datum value);

/* The hash of the bytes of a varlena value, toasted or not. */
static inline pds_hash
pds_hash_varlena(Datum value)
{
	struct varlena *v = (struct varlena *) DatumGetPointer(value);

	if (unlikely(VARATT_IS_EXTERNAL(v) || VARATT_IS_COMPRESSED(v)))
		return pds_hash_toasted(value);
	return pds_murmur3(VARDATA_ANY(v), VARSIZE_ANY_EXHDR(v), 0);
}

#pragma GCC visibility pop

#endif
