/*
 * rollup_settings.c: the settings that a rollup's statements run with
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/guc.h"

#include "run_as.h"
#include "rollup.h"

/* The settings that change what an expression means, beside the search path */
static const char *const meaning[] = {
	"TimeZone", "timezone_abbreviations", "DateStyle", "IntervalStyle",
	"extra_float_digits", "bytea_output", "lc_monetary", "lc_numeric", "lc_time",
	"array_nulls", "xmloption", "default_text_search_config", "transform_null_equals",
	"backslash_quote", "standard_conforming_strings"
};

/* What a row of X_progress may ask for; others are passed over. */
static const char *
known_setting(const char *name)
{
	for (size_t i = 0; i < lengthof(meaning); i++)
		if (pg_strcasecmp(meaning[i], name) == 0)
			return meaning[i];
	return NULL;
}

ArrayType *
rollup_current_settings(void)
{
	Datum		values[2 * lengthof(meaning)];

	for (size_t i = 0; i < lengthof(meaning); i++)
	{
		values[2 * i] = CStringGetTextDatum(meaning[i]);
		values[2 * i + 1] = CStringGetTextDatum(GetConfigOptionByName(meaning[i], NULL, false));
	}
	return construct_array(values, lengthof(values), TEXTOID, -1, false, TYPALIGN_INT);
}

void
rollup_apply_settings(char **settings)
{
	for (; settings != NULL && settings[0] != NULL && settings[1] != NULL; settings += 2)
	{
		const char *name = known_setting(settings[0]);

		/* to set one costs more than to look */
		if (name != NULL && strcmp(GetConfigOption(name, false, false), settings[1]) != 0)
			pds_scope_set(name, settings[1]);
	}
}
