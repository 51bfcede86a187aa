/*
 * probds.c: sketches in a shell
 *
 * probds(1) has the options.
 */
#define _POSIX_C_SOURCE 200809L

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

static const char usage[] =
"usage: probds TYPE [OPTION]... [FILE]...     a sketch of the lines of files\n"
"       probds merge [OPTION]... SKETCH...    the union of sketches\n"
"       probds info SKETCH...                 what is known about sketches\n"
"       probds contains [-v] [-c] [-q] SKETCH [FILE]...\n"
"                                             the lines that a filter may contain\n"
"       probds frequency SKETCH [FILE]...     how often lines were added\n"
"       probds jaccard SKETCH SKETCH          how similar two sets are\n"
"TYPE is hll, bloom, cms, topk, cuckoo, counting_bloom, scalable_bloom, minhash, ddsketch or\n"
"fuse.\n"
"\n"
"  -o FILE, --output=FILE  keep the sketch\n"
"  --base64, --hex         as text, for a statement of SQL; without -o on standard output\n"
"  -t KIND, --type=KIND    lines are text (the standard), bytes, int, float, uuid, boolean, date,\n"
"                          timestamp or timestamptz\n"
"  -0, --null              lines end with a zero byte\n"
"  -n NUMBER               the capacity: of how many distinct values; -k NUMBER: the k\n"
"  --capacity, --rate, --layout, --expansion, --precision, --epsilon, --delta, --conservative,\n"
"  --k, --counters, --error, --buckets=VALUE\n"
"                          the parameters of a type\n"
"  -q LIST                 of a ddsketch: these quantiles, 0.5,0.95,0.99\n"
"  -v, -c, -q              of contains: the other lines; only their number; nothing\n"
"  --help, --version\n"
"\n"
"The exit status is 0, 1 if contains finds no line, and 2 in case of trouble.\n";

/* ---------- options ---------- */

typedef struct options
{
	char		parameters[400];	/* as probds_new() reads them */
	const char *output;
	form		form;
	int			kind;			/* -1: as the sketch */
	char		separator;
	const char *quantiles;
	bool		others;
	bool		only_count;
	bool		quiet;
	char	  **operands;
	int			n;
} options;

static void
add_parameter(options *o, const char *name, const char *value)
{
	size_t		length = strlen(o->parameters);

	if (strchr(value, ',') != NULL || length + strlen(name) + strlen(value) + 3 >
		sizeof(o->parameters))
		die("\"%s\" is no value for --%s", value, name);
	snprintf(o->parameters + length, sizeof(o->parameters) - length, "%s%s=%s",
			 length > 0 ? "," : "", name, value);
}

static int
kind_of(const char *name)
{
	static const struct
	{
		const char *name;
		int			kind;
	}			kinds[] = {
		{"text", PROBDS_TEXT}, {"bytes", PROBDS_BYTES}, {"bytea", PROBDS_BYTES},
		{"int", PROBDS_INTEGER}, {"integer", PROBDS_INTEGER}, {"bigint", PROBDS_INTEGER},
		{"number", PROBDS_INTEGER}, {"float", PROBDS_FLOAT}, {"uuid", PROBDS_UUID},
		{"boolean", PROBDS_BOOLEAN}, {"date", PROBDS_DATE}, {"timestamp", PROBDS_TIMESTAMP},
		{"timestamptz", PROBDS_TIMESTAMPTZ}
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].name, name) == 0)
			return kinds[i].kind;
	die("there is no type \"%s\" of lines", name);
}

static const char *const parameter_names[] = {
	"capacity", "rate", "layout", "expansion", "precision", "epsilon", "delta", "conservative", "k",
	"counters", "error", "buckets", NULL
};

/* An option of one letter with its value, or 0 for none; "value" is NULL if it has none. */
static void
set_option(options *o, char letter, const char *value, bool contains)
{
	switch (letter)
	{
		case 'o':
			o->output = value;
			break;
		case 't':
			o->kind = kind_of(value);
			break;
		case '0':
			o->separator = '\0';
			break;
		case 'n':
			add_parameter(o, "capacity", value);
			break;
		case 'k':
			add_parameter(o, "k", value);
			break;
		case 'q':
			if (contains)
				o->quiet = true;
			else
				o->quantiles = value;
			break;
		case 'v':
			o->others = true;
			break;
		default:
			o->only_count = true;
	}
}

/* --name=value or --name value; returns how many arguments it takes. */
static int
set_long_option(options *o, char **args, int n)
{
	const char *name = args[0] + 2;
	size_t		length = strcspn(name, "=");
	const char *value = name[length] == '=' ? name + length + 1 : NULL;
	static const struct
	{
		const char *name;
		char		letter;
	}			names[] = {
		{"output", 'o'}, {"type", 't'}, {"null", '0'}, {"quantiles", 'q'}, {"invert-match", 'v'},
		{"count", 'c'}
	};
	char		letter = 0;
	const char *parameter = NULL;
	bool		valued;
	int			taken = 1;

	if (strcmp(name, "hex") == 0 || strcmp(name, "base64") == 0)
	{
		o->form = name[0] == 'h' ? HEX : BASE64;
		return 1;
	}
	if (strcmp(name, "quiet") == 0)
	{
		o->quiet = true;
		return 1;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i].name) == length && memcmp(names[i].name, name, length) == 0)
			letter = names[i].letter;
	for (int i = 0; parameter_names[i] != NULL; i++)
		if (strlen(parameter_names[i]) == length && memcmp(parameter_names[i], name, length) == 0)
			parameter = parameter_names[i];
	valued = parameter != NULL || letter == 'o' || letter == 't' || letter == 'q';
	if ((letter == 0 && parameter == NULL) || (value != NULL && !valued))
		die("there is no option %s; probds --help has a list", args[0]);
	if (valued && value == NULL)
	{
		if (n < 2)
			die("the option %s needs a value", args[0]);
		value = args[1];
		taken = 2;
	}
	if (parameter != NULL)
		add_parameter(o, parameter, value);
	else
		set_option(o, letter, value, false);
	return taken;
}

/* The options among the arguments; the others become the operands. */
static void
read_options(options *o, char **args, int n, bool contains)
{
	bool		only_operands = false;

	*o = (options) {.kind = -1, .separator = '\n', .operands = args};
	for (int i = 0; i < n; i++)
	{
		char	   *arg = args[i];

		if (only_operands || arg[0] != '-' || arg[1] == '\0')
			o->operands[o->n++] = arg;
		else if (strcmp(arg, "--") == 0)
			only_operands = true;
		else if (arg[1] == '-')
			i += set_long_option(o, args + i, n - i) - 1;
		else
			for (char *letter = arg + 1; *letter != '\0'; letter++)
			{
				const char *value = NULL;

				if (strchr("otn0kqvc", *letter) == NULL)
					die("there is no option -%c; probds --help has a list", *letter);
				if (strchr("otnk", *letter) != NULL || (*letter == 'q' && !contains))
				{
					value = letter[1] != '\0' ? letter + 1 : i + 1 < n ? args[++i] : NULL;
					if (value == NULL)
						die("the option -%c needs a value", *letter);
				}
				set_option(o, *letter, value, contains);
				if (value != NULL)
					break;
			}
	}
}

/* ---------- answers ---------- */

static void
put_quantiles(probds_sketch *s, const char *list)
{
	probds_error error;

	do
	{
		size_t		length = strcspn(list, ",");
		uint8_t		memory[16];
		probds_value q;
		double		lower;
		double		estimate;
		double		upper;

		if (probds_value_from_text(PROBDS_FLOAT, list, length, memory, &q, &error) != PROBDS_OK ||
			probds_quantile(s, q.of.real, &lower, &estimate, &upper, &error) != PROBDS_OK)
			die("%s", error.sentence);
		put_text("%.*s\t%.9g\n", (int) length, list, estimate);
		list += length + (list[length] == ',');
	}
	while (*list != '\0');
}

static void
put_top(probds_sketch *s, char separator)
{
	enum
	{
		MOST = 10000
	};
	probds_item *items = malloc(MOST * sizeof(*items));
	probds_error error;
	size_t		n;

	if (items == NULL)
		die("there is no memory");
	if (probds_top(s, items, MOST, &n, &error) != PROBDS_OK)
		die("%s", error.sentence);
	for (size_t i = 0; i < n; i++)
	{
		put_text("%lld\t", (long long) items[i].frequency);
		put(items[i].text, items[i].length);
		put(&separator, 1);
	}
	free(items);
}

/* Keep the sketch, or print what it is for. */
static void
finish(probds_sketch *s, const options *o)
{
	const char *type = probds_type(s);
	probds_error error;
	double		values;
	int64_t		total;

	if (o->output != NULL || o->form != BYTES)
		write_sketch(s, o->output != NULL ? o->output : "-", o->form);
	if (o->quantiles != NULL)
		put_quantiles(s, o->quantiles);
	else if (o->output == NULL && o->form == BYTES)
	{
		if (strcmp(type, "topk") == 0)
			put_top(s, o->separator);
		else if (probds_cardinality(s, &values, &error) == PROBDS_OK)
			put_text("%.0f\n", values);
		else if (strcmp(type, "ddsketch") == 0)
		{
			if (probds_total(s, &total, &error) != PROBDS_OK || total > 0)
				put_quantiles(s, "0,0.5,0.9,0.95,0.99,1");
		}
		else if (probds_total(s, &total, &error) == PROBDS_OK)
			put_text("%lld\n", (long long) total);
		else
			die("%s", error.sentence);
	}
	put_end();
	probds_free(s);
}

/* ---------- commands ---------- */

static char standard_input[] = "-";
static char *only_standard_input[] = {standard_input};

/* Add the lines of all files. */
static void
add_files(probds_sketch *s, const options *o, char **files, int n)
{
	for (int i = 0; i < n; i++)
	{
		input		in;
		probds_error error;

		input_open(&in, files[i], o->separator, false);
		while (input_next(&in))
		{
			size_t		used;

			if (probds_add_lines(s, o->kind, o->separator, in.buffer + in.begin,
								 in.end - in.begin, &used, &in.lines, &error) != PROBDS_OK)
				die("%s, line %llu: %s", in.name, (unsigned long long) in.lines + 1,
					error.sentence);
			in.begin += used;
		}
		input_close(&in);
	}
}

static int
build(const char *type, options *o)
{
	probds_sketch *s;
	probds_error error;
	int			first = 0;

	/* probds topk 20 */
	if (strcmp(type, "topk") == 0 && o->n > 0 && o->operands[0][0] != '\0' &&
		o->operands[0][strspn(o->operands[0], "0123456789")] == '\0')
		add_parameter(o, "k", o->operands[first++]);
	if (o->kind < 0)
		o->kind = strcmp(type, "ddsketch") == 0 ? PROBDS_FLOAT : PROBDS_TEXT;
	if (probds_new(type, o->parameters, NULL, &s, &error) != PROBDS_OK)
		die("%s", error.sentence);
	if (o->n == first)
		add_files(s, o, only_standard_input, 1);
	else
		add_files(s, o, o->operands + first, o->n - first);
	finish(s, o);
	return FOUND;
}

static int
merge(const options *o)
{
	probds_sketch *s;
	probds_error error;

	if (o->n == 0)
		die("merge needs the files of sketches");
	s = read_sketch(o->operands[0]);
	for (int i = 1; i < o->n; i++)
	{
		probds_sketch *other = read_sketch(o->operands[i]);

		if (probds_merge(s, other, &error) != PROBDS_OK)
			die("%s: %s", o->operands[i], error.sentence);
		probds_free(other);
	}
	finish(s, o);
	return FOUND;
}

static void
put_field(void *context, const char *name, const char *text)
{
	(void) context;
	put_text("%s\t%s\n", name, text);
}

static int
info(const options *o)
{
	probds_error error;

	if (o->n == 0)
		die("info needs the files of sketches");
	for (int i = 0; i < o->n; i++)
	{
		probds_sketch *s = read_sketch(o->operands[i]);

		if (o->n > 1)
			put_text("%sfile\t%s\n", i > 0 ? "\n" : "", o->operands[i]);
		if (probds_info(s, put_field, NULL, &error) != PROBDS_OK)
			die("%s: %s", o->operands[i], error.sentence);
		probds_free(s);
	}
	put_end();
	return FOUND;
}

static int
jaccard(const options *o)
{
	probds_sketch *a;
	probds_sketch *b;
	probds_error error;
	double		j;

	if (o->n != 2)
		die("jaccard needs the files of two sketches");
	a = read_sketch(o->operands[0]);
	b = read_sketch(o->operands[1]);
	if (probds_jaccard(a, b, &j, &error) != PROBDS_OK)
		die("%s", error.sentence);
	put_text("%.6g\n", j);
	put_end();
	probds_free(a);
	probds_free(b);
	return FOUND;
}

/* How often the lines of an input were added. */
static void
put_frequencies(probds_sketch *s, const options *o, input *in)
{
	while (in->begin < in->end)
	{
		const char *line = in->buffer + in->begin;
		const char *stop = memchr(line, o->separator, in->end - in->begin);
		size_t		length;
		probds_value value;
		probds_error error;
		uint8_t		memory[16];
		int64_t		lower;
		int64_t		n;
		int64_t		upper;

		if (stop == NULL)
			break;
		length = (size_t) (stop - line);
		if (probds_value_from_text(o->kind, line, length, memory, &value, &error) != PROBDS_OK ||
			probds_frequency(s, value, &lower, &n, &upper, &error) != PROBDS_OK)
			die("%s, line %llu: %s", in->name, (unsigned long long) in->lines + 1, error.sentence);
		put_text("%lld\t", (long long) n);
		put(line, length + 1);
		in->begin += length + 1;
		in->lines++;
	}
}

/* The lines of an input that are wanted; returns how many. */
static uint64_t
put_lines(probds_sketch *s, const options *o, input *in)
{
	enum
	{
		LINES = 4096
	};
	static size_t ends[LINES];
	static uint8_t contained[LINES];
	uint64_t	found = 0;
	size_t		n;

	do
	{
		const char *text = in->buffer + in->begin;
		probds_error error;
		int			code = probds_contains_lines(s, o->kind, o->separator, text,
												 in->end - in->begin, LINES, ends, contained, &n,
												 &error);
		size_t		at = 0;

		for (size_t i = 0; i < n; i++)
		{
			if ((contained[i] != 0) != o->others)
			{
				found++;
				if (!o->only_count && !o->quiet)
					put(text + at, ends[i] - at);
			}
			at = ends[i];
		}
		in->begin += at;
		in->lines += n;
		if (code != PROBDS_OK)
		{
			put_end();
			die("%s, line %llu: %s", in->name, (unsigned long long) in->lines + 1, error.sentence);
		}
	}
	while (n > 0 && !(o->quiet && found > 0));
	return found;
}

static int
query(options *o, bool frequency)
{
	uint64_t	found = 0;
	probds_sketch *s;
	char	  **files = o->operands + 1;
	int			n = o->n - 1;

	if (n < 0)
		die("%s needs the file of a sketch", frequency ? "frequency" : "contains");
	s = read_sketch(o->operands[0]);
	if (o->kind < 0)
		o->kind = probds_kind(s) == PROBDS_NONE ? PROBDS_TEXT : probds_kind(s);
	if (n == 0)
	{
		files = only_standard_input;
		n = 1;
	}
	for (int i = 0; i < n && !(o->quiet && found > 0); i++)
	{
		input		in;

		input_open(&in, files[i], o->separator, !o->only_count && !o->quiet);
		while (!(o->quiet && found > 0) && input_next(&in))
			if (frequency)
				put_frequencies(s, o, &in);
			else
				found += put_lines(s, o, &in);
		input_close(&in);
	}
	if (o->only_count && !o->quiet)
		put_text("%llu\n", (unsigned long long) found);
	put_end();
	probds_free(s);
	return found > 0 || frequency ? FOUND : NOT_FOUND;
}

int
main(int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : "--help";
	static char buffer[256 * 1024];
	bool		contains = strcmp(command, "contains") == 0;
	bool		frequency = strcmp(command, "frequency") == 0;
	bool		informs = strcmp(command, "info") == 0;
	bool		compares = strcmp(command, "jaccard") == 0;
	bool		merges = strcmp(command, "merge") == 0;
	bool		reads = contains || frequency || informs || compares;
	options		o;

	/* no file that is opened becomes standard input, output or error */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void) open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
	/* a pipe that is closed is an error of a write */
	signal(SIGPIPE, SIG_IGN);
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	if (strcmp(command, "--help") == 0 || strcmp(command, "--version") == 0)
	{
		if (argc < 2)
		{
			fputs(usage, stderr);
			return TROUBLE;
		}
		if (command[2] == 'h')
			put_text("%s", usage);
		else
			put_text("probds %s\n", probds_library_version());
		put_end();
		return FOUND;
	}
	read_options(&o, argv + 2, argc - 2, contains);
	if (!contains && (o.others || o.only_count || o.quiet))
		die("-v, -c and --quiet are options of contains");
	if ((reads && (o.output != NULL || o.form != BYTES || o.quantiles != NULL)) ||
		((reads || merges) && o.parameters[0] != '\0') ||
		((informs || compares || merges) && o.kind >= 0))
		die("%s has no such option; probds --help has a list", command);
	if (contains || frequency)
		return query(&o, frequency);
	if (informs)
		return info(&o);
	if (compares)
		return jaccard(&o);
	return merges ? merge(&o) : build(command, &o);
}
