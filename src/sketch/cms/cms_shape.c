/*
 * cms_shape.c: from epsilon and delta to width and depth
 */
#include "decimal.h"
#include "cms_shape.h"

/* floor(10^18 * e), and floor(10^18 * e^-depth) */
#define E_18	UINT64_C(2718281828459045235)

static const uint64_t delta_18[PDS_CMS_MAX_DEPTH] = {
	UINT64_C(367879441171442321), UINT64_C(135335283236612691),
	UINT64_C(49787068367863942), UINT64_C(18315638888734180),
	UINT64_C(6737946999085467), UINT64_C(2478752176666358),
	UINT64_C(911881965554516), UINT64_C(335462627902511),
	UINT64_C(123409804086679), UINT64_C(45399929762484),
	UINT64_C(16701700790245), UINT64_C(6144212353328),
	UINT64_C(2260329406981), UINT64_C(831528719103),
	UINT64_C(305902320501), UINT64_C(112535174719),
	UINT64_C(41399377187), UINT64_C(15229979744),
	UINT64_C(5602796437), UINT64_C(2061153622),
	UINT64_C(758256042)
};

/*
 * 10^18 times the value of a code, which is a whole number.  What it is compared
 * with and divided into are not, so that rounding these down decides nothing.
 */
static uint64_t
value_18(uint16_t code)
{
	uint64_t	v = 100 + (code - 1u) % 900;

	for (unsigned int e = 3 + (code - 1u) / 900; e < 18; e++)
		v *= 10;
	return v;
}

static uint8_t
depth_for(uint16_t delta)
{
	uint8_t		depth = 1;

	while (depth < PDS_CMS_MAX_DEPTH && delta_18[depth - 1] >= value_18(delta))
		depth++;
	return depth;
}

pds_status
pds_cms_shape_for(uint16_t epsilon, uint16_t delta, bool conservative, pds_cms_shape *s)
{
	/* value_18() is at least 10^9, so that this is below 2^32 */
	uint64_t	width = E_18 / value_18(epsilon) + 1;

	s->width = (uint32_t) width;
	s->epsilon = epsilon;
	s->delta = delta;
	s->depth = depth_for(delta);
	s->conservative = conservative;
	s->unused = 0;
	return width * s->depth <= PDS_CMS_MAX_COUNTERS ? PDS_OK : PDS_TOO_LARGE;
}

uint16_t
pds_cms_smallest_epsilon(uint16_t delta)
{
	/* codes ascend within a power of ten, from power to power they descend */
	uint16_t	code = 1 + 900 * (PDS_DECIMAL_EXPONENTS - 1);
	pds_cms_shape s;

	while (pds_cms_shape_for(code, delta, false, &s) == PDS_TOO_LARGE)
		code = (uint16_t) ((code - 1) % 900 == 899 ? code - 1799 : code + 1);
	return code;
}
