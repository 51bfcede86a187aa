# probds: probabilistic data structures as PostgreSQL types
#
#   make && make install            build and install (PG_CONFIG=... chooses the server)
#   make installcheck               tests against a running server that has it installed
#   make check-unit check-lint      what needs no server
#   make site                       the documentation as HTML, in build/site (MkDocs)
#   make dist                       a zip of the last commit, for PGXN
#   ./test/run                      all tests, on a throwaway server, nothing installed
#
# Out-of-tree builds: make -f /path/to/probds/Makefile, from any folder.

EXTENSION  = probds probds_citus probds_citext probds_hll
MODULE_big = probds

# The sketch types, and what more is SQL of ours, in the order of the install script
TYPES      = hll bloom cms topk cuckoo counting_bloom scalable_bloom minhash ddsketch fuse
SERVICES   = rollup existence health

# Objects whose inner loops are written for the compiler's vectorizer
VECTORIZED = src/sketch/hll/hll_registers.o src/sketch/bloom/bloom.o src/sketch/bloom/bloom_bits.o \
	src/sketch/bloom/bloom_format.o src/sketch/cms/cms_counters.o \
	src/sketch/counting_bloom/counting_bloom_merge.o

# The floors of src/, and what a file of each may include ("...": by these paths, and by no
# others).  base and sketch are pure: they build without PostgreSQL, here too.
#
#     base <- sketch/<x> <- server <- types/<x>, rollup, health, existence, planner <- extension
SEES_base      = base
SEES_sketch    = base $(BUILDS_ON_$(1):%=sketch/%) sketch/$(1)
SERVER         = server server/hash server/type server/stored
SEES_server    = base $(if $(filter hash,$(1)),server server/hash,$(SERVER))
SEES_types     = base $(SERVER) $(foreach x,$(BUILDS_ON_$(1)) $(1),sketch/$(x) types/$(x))
SEES_rollup    = base $(SERVER) rollup
SEES_health    = base $(SERVER) existence sketch/bloom health
SEES_existence = base $(SERVER) sketch/bloom sketch/hll existence
SEES_planner   = base $(SERVER) rollup planner
SEES_extension = base $(SERVER) $(TYPES:%=types/%) $(SKETCHES) existence planner extension

# Sketches and types that are made of another one
BUILDS_ON_counting_bloom = bloom
BUILDS_ON_scalable_bloom = bloom

SRC := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
ifneq ($(realpath $(SRC)),$(realpath .))
VPATH := $(SRC)
# make would take the objects that lie beside the sources for its own
ifneq ($(wildcard $(SRC)/probds.so $(SRC)/src/base/*.o),)
$(error $(SRC) holds a build: run "make clean" there before a build from another folder)
endif
endif

# All extensions have the same version
EXTVERSION := $(shell sed -n "s/^default_version *= *'\(.*\)'/\1/p" $(SRC)/probds.control)

SOURCES    := $(sort $(patsubst $(SRC)/%,%,$(wildcard $(SRC)/src/*/*.c $(SRC)/src/*/*/*.c)))
ALL_HEADERS := $(wildcard $(SRC)/src/*/*.h $(SRC)/src/*/*/*.h)
OBJS        = $(SOURCES:.c=.o)
PURE_SOURCES = $(filter src/base/% src/sketch/% src/existence/existence_layout.c \
	src/existence/existence_table.c,$(SOURCES))
PURE_OBJS   = $(PURE_SOURCES:.c=.o)

SKETCHES    = $(patsubst $(SRC)/src/%/,%,$(sort $(dir $(wildcard $(SRC)/src/sketch/*/*.h))))

# floor_of FILE, module_of FILE: the first and the second folder below src/
floor_of    = $(word 2,$(subst /, ,$(1)))
module_of   = $(word 3,$(subst /, ,$(1)))
quote_paths = $(patsubst %,-iquote $(SRC)/src/%,$(1))
includes_of = $(call quote_paths,$(call SEES_$(call floor_of,$(1)),$(call module_of,$(1))))

# What was released is in src/extension as it was (packaging/release); this version is built
DATA      := $(patsubst $(SRC)/%,%,$(wildcard $(SRC)/src/extension/probds*--*.sql))
DATA_built = $(filter-out $(notdir $(DATA)),$(EXTENSION:%=%--$(EXTVERSION).sql))

REGRESS     := $(sort $(patsubst $(SRC)/sql/%.sql,%,$(wildcard $(SRC)/sql/*.sql)))
REGRESS_OPTS = --load-extension=probds
# where tests find what they include (test/types)
installcheck: export PROBDS_SRC = $(SRC)

TAP_TESTS   = 1
PROVE_TESTS = test/t/*.pl

EXTRA_CLEAN = build src/*/*.o src/*/*.bc src/*/*/*.o src/*/*/*.bc

# An estimate is the same number on every CPU: no operations contracted, and on 32-bit x86
# none in the wider registers of its old floating-point unit
CC_MACROS := $(shell $(CC) -dM -E -x c /dev/null 2>/dev/null)
SAME_NUMBERS := -ffp-contract=off $(if $(findstring __i386__,$(CC_MACROS)),-msse2 -mfpmath=sse)
override PG_CFLAGS := -Wall -Wextra -fvisibility=hidden $(SAME_NUMBERS) $(PG_CFLAGS)
override PG_CPPFLAGS := -DPROBDS_VERSION='"$(EXTVERSION)"' $(PG_CPPFLAGS)

# The targets that need no PostgreSQL work on a machine without it
PG_CONFIG ?= pg_config
ifneq ($(filter-out check-unit build-unit build/unit/% check-lint dist scripts site lib build/lib/% tools \
	install-clients,$(or $(MAKECMDGOALS),all)),)
PGXS := $(shell $(PG_CONFIG) --pgxs)
ifeq ($(PGXS),)
$(error $(PG_CONFIG) not found: install the server's development package (Debian: postgresql-server-dev-NN) or give PG_CONFIG=/path/to/pg_config)
endif

# Isolation tests
SPECS := $(sort $(patsubst $(SRC)/test/isolation/specs/%.spec,%,$(wildcard $(SRC)/test/isolation/specs/*.spec)))
ISOLATION      = $(SPECS)
ISOLATION_OPTS = --inputdir=$(SRC)/test/isolation --load-extension=probds

# No bitcode for the JIT compiler: it gains these functions nothing, and is a second compilation
override with_llvm = no

include $(PGXS)

# The server's own headers are not clean under these two; pure files have no
# such excuse
$(filter-out $(PURE_OBJS),$(OBJS)): override CFLAGS += -Wno-unused-parameter -Wno-sign-compare
$(VECTORIZED): override CFLAGS += -O3

# What each file sees
$(foreach file,$(SOURCES),$(eval $(file:.c=.o) $(file:.c=.bc): override CPPFLAGS := \
	$(call includes_of,$(file)) $(if $(filter $(file),$(PURE_SOURCES)),,$(CPPFLAGS))))

# Without the compiler's help, any changed header rebuilds everything
$(OBJS) $(OBJS:.o=.bc): $(ALL_HEADERS) $(SRC)/Makefile | objdirs
.PHONY: objdirs
objdirs:
	@mkdir -p $(sort $(dir $(OBJS)))
endif

# The install scripts: plain SQL, a file for each module (make scripts: these alone)
SQL_PARTS = $(SRC)/src/extension/probds.sql \
	$(foreach type,$(TYPES),$(SRC)/src/types/$(type)/$(type).sql) \
	$(foreach service,$(SERVICES),$(SRC)/src/$(service)/$(service).sql) \
	$(SRC)/src/extension/own.sql

probds--$(EXTVERSION).sql: $(SQL_PARTS) $(SRC)/Makefile $(SRC)/probds.control
	cat $(SQL_PARTS) > $@.tmp && mv $@.tmp $@

probds_%--$(EXTVERSION).sql: $(SRC)/src/extension/probds_%.sql $(SRC)/src/extension/aggregates.sql \
		$(SRC)/src/extension/own.sql $(SRC)/Makefile $(SRC)/probds.control
	cat $(filter-out $(if $(filter hll,$*),%/aggregates.sql),$(filter %.sql,$^)) > $@.tmp && mv $@.tmp $@

.PHONY: scripts
scripts: $(EXTENSION:%=%--$(EXTVERSION).sql)

# The pure floors and their unit tests: no include path of PostgreSQL's, no
# -fwrapv (which would hide signed overflow from the sanitizer)
UNIT_CC     ?= cc
UNIT_CFLAGS ?= -g1 -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
UNIT_STRICT  = -std=c11 -pedantic -Wall -Wextra -Werror $(SAME_NUMBERS)
UNIT_OBJS    = $(PURE_SOURCES:src/%.c=build/unit/%.o) \
	$(patsubst $(SRC)/%.c,build/unit/%.o,$(wildcard $(SRC)/clients/c/*.c))
UNIT_TESTS   = $(patsubst $(SRC)/test/unit/%.c,build/unit/%,$(wildcard $(SRC)/test/unit/*_test.c))

build/unit/%.o: $(SRC)/src/%.c $(ALL_HEADERS) $(SRC)/Makefile
	@mkdir -p $(@D)
	$(UNIT_CC) $(UNIT_STRICT) $(UNIT_CFLAGS) $(call includes_of,src/$*.c) -c -o $@ $<

build/unit/clients/%.o: $(SRC)/clients/%.c $(ALL_HEADERS) $(wildcard $(SRC)/clients/*/*.h) $(SRC)/Makefile
	@mkdir -p $(@D)
	$(UNIT_CC) $(UNIT_STRICT) $(UNIT_CFLAGS) -DPROBDS_VERSION='"$(EXTVERSION)"' \
		$(call quote_paths,base $(SKETCHES)) -I$(SRC)/clients/c -c -o $@ $<

# The command, with the sanitizers
build/unit/probds: $(patsubst $(SRC)/%.c,build/unit/%.o,$(wildcard $(SRC)/clients/command/*.c)) build/unit/libpure.a
	$(UNIT_CC) $(UNIT_STRICT) $(UNIT_CFLAGS) -o $@ $^ -lm

build/unit/libpure.a: $(UNIT_OBJS)
	rm -f $@ && $(AR) rcs $@ $^

build/unit/%_test: $(SRC)/test/unit/%_test.c $(wildcard $(SRC)/test/unit/*.h) build/unit/libpure.a
	@mkdir -p $(@D)
	$(UNIT_CC) $(UNIT_STRICT) $(UNIT_CFLAGS) $(call quote_paths,base $(SKETCHES) existence) -I$(SRC)/clients/c -iquote $(SRC)/test/unit -o $@ $< build/unit/libpure.a -lm

.SECONDARY: $(UNIT_OBJS)
.PHONY: check-unit build-unit check-lint
build-unit: $(UNIT_TESTS) build/unit/probds
check-unit: build-unit
	@rc=0; for t in $(UNIT_TESTS); do ./$$t || rc=1; done; \
		sh $(SRC)/test/unit/command_test.sh || rc=1; exit $$rc

check-lint:
	@rc=0; for t in $(SRC)/test/lint/*.sh; do PROBDS_SO=$(CURDIR)/probds.so sh $$t || rc=1; done; exit $$rc

# The library and the command: the pure floors, and clients/c and clients/command
#
#   make lib tools                  in build/lib: libprobds.so.1, libprobds.a, probds
#   make install-clients                (PREFIX, LIBDIR, DESTDIR)
PREFIX      ?= /usr/local
LIBDIR      ?= $(PREFIX)/lib
LIB_CFLAGS  ?= -g -O2
# PostgreSQL compiles the same files without strict aliasing, too
LIB_MUST     = $(UNIT_STRICT) -fno-strict-aliasing -fPIC -fvisibility=hidden \
	-DPROBDS_VERSION='"$(EXTVERSION)"'
LIB_SOURCES  = $(filter-out src/existence/%,$(PURE_SOURCES)) \
	$(patsubst $(SRC)/%,%,$(wildcard $(SRC)/clients/c/*.c))
LIB_OBJS     = $(LIB_SOURCES:%.c=build/lib/%.o)
LIB_HEADERS  = $(ALL_HEADERS) $(wildcard $(SRC)/clients/c/*.h)
LIB_FAST     = $(VECTORIZED:%=build/lib/%) build/lib/clients/c/lines.o

$(LIB_FAST): LIB_MUST += -O3
build/lib/src/%.o: $(SRC)/src/%.c $(LIB_HEADERS) $(SRC)/Makefile
	@mkdir -p $(@D)
	$(CC) $(LIB_CFLAGS) $(CPPFLAGS) $(LIB_MUST) $(call includes_of,src/$*.c) -c -o $@ $<

build/lib/clients/%.o: $(SRC)/clients/%.c $(LIB_HEADERS) $(SRC)/Makefile
	@mkdir -p $(@D)
	$(CC) $(LIB_CFLAGS) $(CPPFLAGS) $(LIB_MUST) $(call quote_paths,base $(SKETCHES)) \
		-I$(SRC)/clients/c -c -o $@ $<

build/lib/libprobds.so.1: $(LIB_OBJS) $(SRC)/clients/c/libprobds.map
	$(CC) $(LIB_CFLAGS) -shared -Wl,-soname,$(@F) -Wl,-z,defs $(LDFLAGS) \
		-Wl,-Bsymbolic-functions,--version-script=$(SRC)/clients/c/libprobds.map \
		-o $@ $(LIB_OBJS) -lm
	ln -sf $(@F) build/lib/libprobds.so

build/lib/libprobds.a: $(LIB_OBJS)
	rm -f $@ && $(AR) rcs $@ $(LIB_OBJS)

# always: its paths may be others
.PHONY: build/lib/libprobds.pc
build/lib/libprobds.pc: $(SRC)/clients/c/libprobds.pc.in
	@mkdir -p $(@D)
	sed 's,@PREFIX@,$(PREFIX),; s,@LIBDIR@,$(LIBDIR),; s,@VERSION@,$(EXTVERSION),' $< > $@

build/lib/probds: $(patsubst $(SRC)/%.c,build/lib/%.o,$(wildcard $(SRC)/clients/command/*.c)) build/lib/libprobds.a
	$(CC) $(LIB_CFLAGS) $(LDFLAGS) -o $@ $^ -lm

.PHONY: lib tools install-clients
lib: build/lib/libprobds.so.1 build/lib/libprobds.a build/lib/libprobds.pc
tools: build/lib/probds

install-clients: lib tools
	install -d $(DESTDIR)$(LIBDIR)/pkgconfig \
		$(addprefix $(DESTDIR)$(PREFIX)/,bin include share/man/man1 share/man/man3)
	install -m 755 build/lib/libprobds.so.1 $(DESTDIR)$(LIBDIR)
	install -m 644 build/lib/libprobds.a $(DESTDIR)$(LIBDIR)
	ln -sf libprobds.so.1 $(DESTDIR)$(LIBDIR)/libprobds.so
	install -m 644 build/lib/libprobds.pc $(DESTDIR)$(LIBDIR)/pkgconfig
	install -m 644 $(SRC)/clients/c/probds.h $(DESTDIR)$(PREFIX)/include
	install -m 755 build/lib/probds $(DESTDIR)$(PREFIX)/bin
	install -m 644 $(SRC)/clients/command/probds.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 $(SRC)/clients/c/libprobds.3 $(DESTDIR)$(PREFIX)/share/man/man3

# What PGXN takes: the last commit, in a folder whose name has three numbers
DIST := probds-$(shell sed -n 's/^   "version": *"\(.*\)".*/\1/p' $(SRC)/META.json)
.PHONY: dist site
site:
	$(SRC)/packaging/site/build $(CURDIR)/build/site

dist:
	git -C $(SRC) archive --format=zip --prefix=$(DIST)/ -o $(CURDIR)/$(DIST).zip HEAD
