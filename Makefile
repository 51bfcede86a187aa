# probds: probabilistic data structures as PostgreSQL types
#
#   make && make install            build and install (PG_CONFIG=... chooses the server)
#   make installcheck               tests against a running server that has it installed
#   make check-unit check-lint      what needs no server
#   ./test/run                      all tests, on a throwaway server, nothing installed
#
# Out-of-tree builds: make -f /path/to/probds/Makefile, from any folder.

EXTENSION  = probds probds_citext
MODULE_big = probds

# One folder below src/ for each sketch type, in the order of the install script
ROOMS      = hll bloom cms topk rollup existence health

# Objects whose inner loops are written for the compiler's vectorizer
VECTORIZED = src/hll/hll_registers.o src/bloom/bloom.o src/bloom/bloom_read.o src/cms/cms_counters.o

# In a room, the files that know PostgreSQL have one of these at the end of
# their names; all others are pure and build without it
GLUE_NAMES = %_type.c %_agg.c
# Rooms that are for the server alone
GLUE_ROOMS = rollup health existence

# Files of theirs that are pure all the same
PURE_FILES = src/existence/existence_layout.c

SRC := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
ifneq ($(SRC),.)
VPATH := $(SRC)
endif

version_of  = $(shell sed -n "s/^default_version *= *'\(.*\)'/\1/p" $(SRC)/$(1).control)
EXTVERSION := $(call version_of,probds)
CITEXT_VERSION := $(call version_of,probds_citext)

SOURCES    := $(sort $(patsubst $(SRC)/%,%,$(wildcard $(SRC)/src/*/*.c)))
ALL_HEADERS := $(wildcard $(SRC)/src/*/*.h)
OBJS        = $(SOURCES:.c=.o)
PURE_SOURCES = $(filter-out $(GLUE_NAMES) src/pg/% src/probds/% $(GLUE_ROOMS:%=src/%/%),$(SOURCES)) \
	$(PURE_FILES)
PURE_OBJS   = $(PURE_SOURCES:.c=.o)

DATA      := $(patsubst $(SRC)/%,%,$(wildcard $(SRC)/src/probds/probds--*.sql))
DATA_built = probds--$(EXTVERSION).sql probds_citext--$(CITEXT_VERSION).sql

REGRESS     := $(sort $(patsubst $(SRC)/sql/%.sql,%,$(wildcard $(SRC)/sql/*.sql)))
REGRESS_OPTS = --load-extension=probds

TAP_TESTS   = 1
PROVE_TESTS = test/t/*.pl

EXTRA_CLEAN = build src/*/*.o src/*/*.bc

# An estimate is the same number on every CPU: no operations contracted, and on 32-bit x86
# none in the wider registers of its old floating-point unit
CC_MACROS := $(shell $(CC) -dM -E -x c /dev/null 2>/dev/null)
SAME_NUMBERS := -ffp-contract=off $(if $(findstring __i386__,$(CC_MACROS)),-msse2 -mfpmath=sse)
override PG_CFLAGS := -Wall -Wextra $(SAME_NUMBERS) $(PG_CFLAGS)
override PG_CPPFLAGS := -I$(SRC)/src -DPROBDS_VERSION='"$(EXTVERSION)"' $(PG_CPPFLAGS)

# The targets that need no PostgreSQL work on a machine without it
PG_CONFIG ?= pg_config
ifneq ($(filter-out check-unit check-lint,$(or $(MAKECMDGOALS),all)),)
PGXS := $(shell $(PG_CONFIG) --pgxs)
ifeq ($(PGXS),)
$(error $(PG_CONFIG) not found: install the server's development package (Debian: postgresql-server-dev-NN) or give PG_CONFIG=/path/to/pg_config)
endif

# Isolation tests, once there are some; PostgreSQL 13 packages lack the tool
SPECS := $(sort $(patsubst $(SRC)/test/isolation/specs/%.spec,%,$(wildcard $(SRC)/test/isolation/specs/*.spec)))
ifneq ($(SPECS),)
ifneq ($(wildcard $(dir $(PGXS))../test/isolation/pg_isolation_regress),)
ISOLATION      = $(SPECS)
ISOLATION_OPTS = --inputdir=$(SRC)/test/isolation --load-extension=probds
endif
endif

include $(PGXS)

# The server's own headers are not clean under these two; pure files have no
# such excuse
$(filter-out $(PURE_OBJS),$(OBJS)): override CFLAGS += -Wno-unused-parameter -Wno-sign-compare
$(VECTORIZED): override CFLAGS += -O3

# Without the compiler's help, any changed header rebuilds everything
$(OBJS) $(OBJS:.o=.bc): $(ALL_HEADERS) $(SRC)/Makefile | objdirs
.PHONY: objdirs
objdirs:
	@mkdir -p $(sort $(dir $(OBJS)))

# The install script: preamble, hash and support functions, then each room's definitions
SQL_PARTS = $(SRC)/src/probds/preamble.sql $(SRC)/src/probds/hash.sql $(SRC)/src/probds/hash_values.sql \
	$(SRC)/src/probds/support.sql \
	$(foreach room,$(ROOMS),$(wildcard $(SRC)/src/$(room)/$(room).sql $(SRC)/src/$(room)/$(room)_values.sql))
# The functions over values once more, for the extension that adds citext
CITEXT_PARTS = $(SRC)/src/probds/citext_preamble.sql $(SRC)/src/probds/hash_values.sql \
	$(foreach room,$(ROOMS),$(wildcard $(SRC)/src/$(room)/$(room)_values.sql))
# What rooms include in theirs
SQL_TEMPLATES = $(wildcard $(SRC)/src/*/*_*.sql)

probds--$(EXTVERSION).sql: $(SRC)/src/probds/expand.awk $(SQL_PARTS) $(SQL_TEMPLATES) $(SRC)/probds.control
	awk -f $(SRC)/src/probds/expand.awk $(SQL_PARTS) > $@.tmp && mv $@.tmp $@

probds_citext--$(CITEXT_VERSION).sql: $(SRC)/src/probds/expand.awk $(CITEXT_PARTS) $(SQL_TEMPLATES) $(SRC)/probds_citext.control
	awk -v types=citext -f $(SRC)/src/probds/expand.awk $(CITEXT_PARTS) > $@.tmp && mv $@.tmp $@

.PHONY: dist
dist:
	cd $(SRC) && git archive --format=zip --prefix=probds-$(EXTVERSION)/ \
		-o $(CURDIR)/probds-$(EXTVERSION).zip HEAD
endif

# The pure floors and their unit tests: no include path of PostgreSQL's, no
# -fwrapv (which would hide signed overflow from the sanitizer)
UNIT_CC     ?= cc
UNIT_CFLAGS ?= -g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
UNIT_STRICT  = -std=c11 -pedantic -Wall -Wextra -Werror $(SAME_NUMBERS)
UNIT_OBJS    = $(PURE_SOURCES:src/%.c=build/unit/%.o)
UNIT_TESTS   = $(patsubst $(SRC)/test/unit/%.c,build/unit/%,$(wildcard $(SRC)/test/unit/*_test.c))

build/unit/%.o: $(SRC)/src/%.c $(ALL_HEADERS) $(SRC)/Makefile
	@mkdir -p $(@D)
	$(UNIT_CC) $(UNIT_STRICT) $(UNIT_CFLAGS) -I$(SRC)/src -c -o $@ $<

build/unit/%_test: $(SRC)/test/unit/%_test.c $(wildcard $(SRC)/test/unit/*.h) $(UNIT_OBJS)
	@mkdir -p $(@D)
	$(UNIT_CC) $(UNIT_STRICT) $(UNIT_CFLAGS) -I$(SRC)/src -I$(SRC)/test/unit -o $@ $< $(UNIT_OBJS) -lm

.SECONDARY: $(UNIT_OBJS)
.PHONY: check-unit build-unit check-lint
build-unit: $(UNIT_TESTS)
check-unit: build-unit
	@rc=0; for t in $(UNIT_TESTS); do ./$$t || rc=1; done; exit $$rc

check-lint:
	@rc=0; for t in $(SRC)/test/lint/*.sh; do PROBDS_SO=$(CURDIR)/probds.so sh $$t || rc=1; done; exit $$rc
