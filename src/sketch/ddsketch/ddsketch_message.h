/*
 * ddsketch_message.h: messages of Protocol Buffers, read
 *
 * A message is fields, each a varint of its number * 8 + wire type, and a value.  Wire type 0 is a
 * varint, 1 are 8 bytes, 2 a length and so many bytes, 5 are 4 bytes.
 */
#ifndef PDS_SKETCH_DDSKETCH_DDSKETCH_MESSAGE_H
#define PDS_SKETCH_DDSKETCH_DDSKETCH_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bits.h"

typedef struct message
{
	const uint8_t *at;
	const uint8_t *end;
} message;

typedef struct field
{
	uint32_t	number;
	int			wire;
	uint64_t	value;			/* of wire types 0, 1 and 5 */
	message		bytes;			/* of wire type 2 */
} field;

/* A varint, in its shortest form or not, as others write it. */
static inline bool
get_varint(message *m, uint64_t *v)
{
	*v = 0;
	for (int shift = 0; shift < 64 && m->at < m->end; shift += 7)
	{
		uint8_t		byte = *m->at++;

		*v |= (uint64_t) (byte & 0x7f) << shift;
		if (byte < 0x80)
			return shift < 63 || byte <= 1;
	}
	return false;
}

static inline int64_t
zigzag(uint64_t v)
{
	return (int64_t) (v >> 1) ^ -(int64_t) (v & 1);
}

/* Returns false at the end of the message, and then *bad tells whether it is one. */
static inline bool
next_field(message *m, field *f, bool *bad)
{
	uint64_t	tag;
	size_t		width;

	*bad = false;
	if (m->at == m->end)
		return false;
	*bad = true;
	if (!get_varint(m, &tag) || tag >> 32 != 0 || tag >> 3 == 0)
		return false;
	f->number = (uint32_t) (tag >> 3);
	f->wire = (int) (tag & 7);
	switch (f->wire)
	{
		case 0:
			*bad = !get_varint(m, &f->value);
			return !*bad;
		case 1:
		case 5:
			width = f->wire == 1 ? 8 : 4;
			if ((size_t) (m->end - m->at) < width)
				return false;
			f->value = width == 8 ? pds_load_le64(m->at) : pds_load_le32(m->at);
			m->at += width;
			break;
		case 2:
			if (!get_varint(m, &f->value) || f->value > (uint64_t) (m->end - m->at))
				return false;
			f->bytes = (message) {m->at, m->at + f->value};
			m->at += f->value;
			break;
		default:
			return false;
	}
	*bad = false;
	return true;
}

static inline double
double_of(uint64_t bits)
{
	double		v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

#endif
