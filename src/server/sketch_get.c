/*
 * sketch_get.c: the stored form of a value, whatever form it comes in
 */
#include "postgres.h"

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

struct varlena *
pds_sketch_get_head(const PdsSketchType *type, Datum value, int32 most)
{
	struct varlena *v = (struct varlena *) DatumGetPointer(value);

	/*
	 * What is in the row already needs no slice.  (VARATT_IS_SHORT says yes of
	 * TOAST pointers too.)
	 */
	if (!VARATT_IS_EXTERNAL(v) && !VARATT_IS_COMPRESSED(v))
		return pds_sketch_get(type, value);
	v = PG_DETOAST_DATUM_SLICE(value, 0, most);
	if (unlikely(pds_is_building(v)))
		return pds_sketch_get(type, value);
	return v;
}

void *
pds_state_load_arg(FunctionCallInfo fcinfo, int argno, const PdsSketchType *type)
{
	return pds_state_load(type, pds_sketch_get(type, PG_GETARG_DATUM(argno)));
}
