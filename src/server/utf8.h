/*
 * utf8.h: text in UTF-8, whatever the database's encoding
 *
 * Sketches hash and store text in UTF-8, so that a dump that is restored into a
 * database of another encoding keeps its answers.  Bytes of an SQL_ASCII database are
 * of no known encoding and stay as they are; so do those of MULE_INTERNAL, for which
 * the server has no conversion.
 */
#ifndef PDS_SERVER_UTF8_H
#define PDS_SERVER_UTF8_H

#include "postgres.h"

/* Returns whether the text of this database is in UTF-8 already, or is to be left as it is. */
extern bool pds_text_is_utf8(void);

/* Returns whether these bytes are ASCII, and so the same in every encoding of a database. */
extern bool pds_is_ascii(const char *text, size_t len);

/*
 * Text of the database in UTF-8, and the other way round.  *len becomes the length of
 * the result, which is the text itself or palloc'd.  Errors: 22P05 for a character
 * that the other encoding does not have, 22021 for bytes that are no text.
 */
extern const char *pds_to_utf8(const char *text, size_t *len);
extern const char *pds_from_utf8(const char *text, size_t *len);

#endif
