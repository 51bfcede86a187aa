/*
 * utf8.c: text in UTF-8, whatever the database's encoding
 */
#include "postgres.h"

#include "mb/pg_wchar.h"

#include "bits.h"
#include "compat.h"
#include "utf8.h"

bool
pds_text_is_utf8(void)
{
	int			encoding = GetDatabaseEncoding();

	return encoding == PG_UTF8 || encoding == PG_SQL_ASCII ||
		PDS_IS_MULE_INTERNAL(encoding);
}

bool
pds_is_ascii(const char *text, size_t len)
{
	uint64		high = 0;

	for (; len >= 8; text += 8, len -= 8)
		high |= pds_load_le64(text);
	for (; len > 0; text++, len--)
		high |= (uint8) *text;
	return (high & UINT64CONST(0x8080808080808080)) == 0;
}

static const char *
convert(const char *text, size_t *len, int from, int to)
{
	const char *result;

	if (pds_text_is_utf8() || pds_is_ascii(text, *len))
		return text;
	result = (const char *) pg_do_encoding_conversion((unsigned char *) text, (int) *len, from, to);
	if (result != text)
		*len = strlen(result);
	return result;
}

const char *
pds_to_utf8(const char *text, size_t *len)
{
	return convert(text, len, GetDatabaseEncoding(), PG_UTF8);
}

const char *
pds_from_utf8(const char *text, size_t *len)
{
	return convert(text, len, PG_UTF8, GetDatabaseEncoding());
}
