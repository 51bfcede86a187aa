/*
 * hex.c: in place of a fuzz target: what mutate.c makes, one input a line, as
 * COPY reads a bytea
 *
 * For the tests that send it to a server.  The other lines begin with "ok" or "#".
 */
#include "fuzz.h"

fuzz_count	fuzz_counts;

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char digits[] = "0123456789abcdef";

	fuzz_counts.all++;
	fputs("\\\\x", stdout);
	for (size_t i = 0; i < size; i++)
	{
		putchar(digits[data[i] >> 4]);
		putchar(digits[data[i] & 15]);
	}
	putchar('\n');
	return 0;
}
