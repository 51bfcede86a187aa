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

#include "bits.h"
#include "poll.h"

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

/* The number of a wire type, or the length that bytes begin with. */
static inline bool
get_value(message *m, int wire, uint64_t *v)
{
	size_t		width = wire == 1 ? 8 : 4;

	if (wire == 0 || wire == 2)
		return get_varint(m, v);
	if ((wire != 1 && wire != 5) || (size_t) (m->end - m->at) < width)
		return false;
	*v = pds_load_number(m->at, 0, (int) width);
	m->at += width;
	return true;
}

/* After a message was read from here on: poll every so many bytes, each of which may be an item. */
static inline void
poll_since(const message *m, const uint8_t *from)
{
	if ((m->end - from) / PDS_POLL_ITEMS != (m->end - m->at) / PDS_POLL_ITEMS)
		pds_poll();
}

/* Returns false at the end of the message, and then *bad tells whether it is one. */
static inline bool
next_field(message *m, field *f, bool *bad)
{
	const uint8_t *from = m->at;
	uint64_t	tag;

	*bad = m->at != m->end;
	if (!*bad || !get_varint(m, &tag) || tag >> 32 != 0 || tag >> 3 == 0)
		return false;
	f->number = (uint32_t) (tag >> 3);
	f->wire = (int) (tag & 7);
	if (!get_value(m, f->wire, &f->value))
		return false;
	if (f->wire == 2)
	{
		if (f->value > (uint64_t) (m->end - m->at))
			return false;
		f->bytes = (message) {m->at, m->at + f->value};
		m->at += f->value;
	}
	*bad = false;
	poll_since(m, from);
	return true;
}

/* A repeated field of numbers of a wire type, packed or one by one. */
typedef struct repeated
{
	message		rest;
	message		packed;
	uint32_t	number;
	int			wire;
	bool		bad;			/* this is no message */
} repeated;

static inline repeated
repeated_of(message m, uint32_t number, int wire)
{
	return (repeated) {m, {m.end, m.end}, number, wire, false};
}

/* Returns false at the end. */
static inline bool
next_repeated(repeated *r, uint64_t *v)
{
	const uint8_t *from;
	field		f = {0};

	while (r->packed.at == r->packed.end)
	{
		if (!next_field(&r->rest, &f, &r->bad))
			return false;
		if (f.number != r->number)
			continue;
		if (f.wire == r->wire)
		{
			*v = f.value;
			return true;
		}
		if (f.wire == 2)
			r->packed = f.bytes;
	}
	from = r->packed.at;
	r->bad = !get_value(&r->packed, r->wire, v);
	poll_since(&r->packed, from);
	return !r->bad;
}

#endif
