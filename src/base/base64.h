/*
 * base64.h: bytes as text (RFC 4648, section 4)
 */
#ifndef PDS_BASE_BASE64_H
#define PDS_BASE_BASE64_H

#include <stddef.h>
#include <stdint.h>

/* Write the text of len bytes, padded with "="; returns its length, (len + 2) / 3 * 4. */
extern size_t pds_base64_encode(const uint8_t *in, size_t len, char *out);

/*
 * Write the bytes of a text, in groups of four characters.  It ends before the first group that is
 * not whole or has another character than those of the alphabet, such as padding or white space.
 * Returns how many characters were read, a multiple of 4.  Three bytes are written for each four
 * of them.  The space for the bytes of all len characters may be used.
 */
extern size_t pds_base64_decode(const char *in, size_t len, uint8_t *out);

#endif
