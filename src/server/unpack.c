/*
 * unpack.c: a sketch that is asked again and again is unpacked once
 */
#include "postgres.h"

#include "unpack.h"

/*
 * Counts a question to a payload.  If it was one too many, keeps the unpacked form and behind it
 * copied bytes of the payload, as long as there is space.  What it costs to look for
 * space each time is little beside the question.
 */
static const uint8 *
count_question(PdsStored *stored, const PdsUnpacking *how, const void *view,
			   const uint8_t *payload, Size copied)
{
	PdsUnpackPlan plan;
	uint8	   *form;

	how->plan(view, &plan);
	if (plan.size == 0)
		return NULL;
	stored->spent += plan.ask_cost;
	if (stored->spent < plan.unpack_cost)
		return NULL;
	form = pds_stored_reserve(stored, plan.size + copied, 0);
	if (form == NULL)
		return NULL;
	memset(form, 0, plan.size);
	if (how->unpack(view, payload, form) != PDS_OK)
		pds_stored_corrupt(how->type, NULL);
	memcpy(form + plan.size, payload, copied);
	pds_stored_keep(stored);
	stored->unpacked = plan.size;
	return form;
}

const uint8 *
pds_unpacked_slowly(PdsStored *stored, const PdsUnpacking *how, const void *view)
{
	return count_question(stored, how, view, stored->kept, 0);
}

const uint8 *
pds_unpacked_in_memory(PdsStored *stored, const PdsUnpacking *how, const void *view,
					   const uint8_t *payload, pds_hash hash)
{
	if (stored->kept != NULL &&
		how->same(view, payload, stored->kept + stored->unpacked, hash))
		return stored->kept;
	return count_question(stored, how, view, payload, stored->len);
}
