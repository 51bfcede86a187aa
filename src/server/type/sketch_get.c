/*
 * sketch_get.c: the stored form of a value, whatever form it comes in
 */
#include "postgres.h"

#include "access/detoast.h"
#include "utils/array.h"

#include "compat.h"
#include "sketch.h"
#include "state.h"

struct varlena *
pds_sketch_get(const PdsSketchType *type, Datum value)
{
	struct varlena *v = PG_DETOAST_DATUM_PACKED(value);

	/* a copy: it may lie in a page of the table, and the state works in it */
	if (unlikely(pds_is_building(v)))
		v = pds_state_store(type, pds_sketch_own_state(type, v));
	return v;
}

/*
 * Returns the first "most" bytes of the payload, or all of it, and the length of the whole
 * payload.  A large stored value is not read beyond the TOAST chunks of these bytes.
 */
static struct varlena *
get_head(const PdsSketchType *type, Datum value, int32 most, size_t *len)
{
	struct varlena *v = (struct varlena *) DatumGetPointer(value);

	/*
	 * What is in the row already needs no slice.  (VARATT_IS_SHORT says yes of
	 * TOAST pointers too.)
	 */
	if (VARATT_IS_EXTERNAL(v) || VARATT_IS_COMPRESSED(v))
	{
		v = PG_DETOAST_DATUM_SLICE(value, 0, most);
		if (likely(!pds_is_building(v)))
		{
			*len = toast_raw_datum_size(value) - VARHDRSZ;
			return v;
		}
	}
	v = pds_sketch_get(type, value);
	*len = PDS_PAYLOAD_LEN(v);
	return v;
}

struct varlena *
pds_sketch_arg(FunctionCallInfo fcinfo, int argno, const PdsSketchType *type, void *view)
{
	struct varlena *value = pds_sketch_get(type, PG_GETARG_DATUM(argno));

	pds_sketch_open(type, value, view);
	return value;
}

int
pds_sketch_array_arg(FunctionCallInfo fcinfo, int argno, const PdsSketchType *type,
					 struct varlena ***values)
{
	ArrayType  *array = PG_GETARG_ARRAYTYPE_P(argno);
	Datum	   *elements;
	bool	   *nulls;
	int			n;
	int			some = 0;

	deconstruct_array(array, ARR_ELEMTYPE(array), -1, false, TYPALIGN_INT, &elements, &nulls, &n);
	*values = palloc(sizeof(**values) * (n + 1));
	for (int i = 0; i < n; i++)
		if (!nulls[i])
			(*values)[some++] = pds_sketch_get(type, elements[i]);
	return some;
}

void
pds_sketch_head_arg(FunctionCallInfo fcinfo, int argno, const PdsSketchType *type, int32 most,
					void *view)
{
	const char *why = NULL;
	size_t		len;
	struct varlena *head = get_head(type, PG_GETARG_DATUM(argno), most, &len);

	if (type->ops->open(view, PDS_PAYLOAD(head), PDS_PAYLOAD_LEN(head), len, &why) != PDS_OK)
		pds_stored_corrupt(type, why);
	PG_FREE_IF_COPY(head, argno);
}

void *
pds_state_load_arg(FunctionCallInfo fcinfo, int argno, const PdsSketchType *type)
{
	return pds_state_load(type, pds_sketch_get(type, PG_GETARG_DATUM(argno)));
}
