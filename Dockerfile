# The official image of PostgreSQL with probds in it
#
#   docker build -t postgres-probds .
#   docker build -t postgres-probds --build-arg PG_MAJOR=16 .
#
# CREATE EXTENSION probds remains to be done in each database that is to have it.
ARG PG_MAJOR=17

FROM postgres:${PG_MAJOR} AS build
# of the image: PG_MAJOR, and apt's source of the server's packages, which must be as new as
# the image's server or newer
# hadolint ignore=DL3008
RUN set -eux; \
    apt-get update; \
    apt-get install -y --no-install-recommends \
        gcc libc6-dev make "postgresql-server-dev-$PG_MAJOR"; \
    rm -rf /var/lib/apt/lists/*
COPY . /usr/src/probds
WORKDIR /usr/src/probds
# (no bitcode: these functions gain nothing by it)
RUN set -eux; \
    export PG_CONFIG="/usr/lib/postgresql/$PG_MAJOR/bin/pg_config"; \
    make -j "$(nproc)" with_llvm=no; \
    make install with_llvm=no DESTDIR=/out; \
    strip --strip-unneeded "/out/usr/lib/postgresql/$PG_MAJOR/lib/probds.so"

FROM postgres:${PG_MAJOR}
LABEL org.opencontainers.image.title="PostgreSQL with probds" \
      org.opencontainers.image.description="Probabilistic data structures as PostgreSQL types" \
      org.opencontainers.image.licenses="PostgreSQL"
COPY --from=build /out/ /
COPY LICENSE /usr/share/doc/probds/
