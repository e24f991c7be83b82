# Both images are Debian 12, so that what is built with one runs on the other. To have the same ones again,
# give them by digest: --build-arg RUN_IMAGE=debian@sha256:...
ARG BUILD_IMAGE=swift:6.3-bookworm
ARG RUN_IMAGE=debian:bookworm-slim

FROM ${BUILD_IMAGE} AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        libcurl4-openssl-dev libsqlite3-dev libssl-dev pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# The dependencies first: they change less often than the sources.
COPY Package.swift ./
RUN swift package resolve
COPY Examples Examples
# openapi.json becomes part of the command.
COPY Public/openapi.json Public/openapi.json
COPY Sources Sources
COPY Tests Tests
RUN swift build --configuration release --product freshet --static-swift-stdlib \
    && install -D "$(swift build --configuration release --show-bin-path)/freshet" /out/freshet \
    && strip --remove-section=.comment --remove-section=.note /out/freshet

FROM ${RUN_IMAGE}
# libpq5 is for feeds in PostgreSQL alone.
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        ca-certificates libcurl4 libpq5 libsqlite3-0 libssl3 libstdc++6 zlib1g \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/log/apt /var/log/dpkg.log \
        /usr/share/doc /usr/share/man \
    && groupadd --system --gid 10001 freshet \
    && useradd --system --uid 10001 --gid 10001 --no-create-home --home-dir /var/lib/freshet \
        --shell /usr/sbin/nologin freshet \
    && install -d -o 10001 -g 10001 -m 750 /var/lib/freshet
COPY --from=build /out/freshet /usr/local/bin/freshet
COPY Public /usr/share/freshet/Public
COPY docs/conformance/cases /usr/local/share/freshet/conformance/cases

# FRESHET_DATA is where feeds are kept. Nothing else is written: the root may be read-only.
ENV FRESHET_HOST=0.0.0.0 \
    FRESHET_PORT=8080 \
    FRESHET_PUBLIC=/usr/share/freshet/Public \
    FRESHET_DATA=/var/lib/freshet
VOLUME /var/lib/freshet
# By number, so that orchestrators can see that it is not root.
USER 10001:10001
EXPOSE 8080
STOPSIGNAL SIGTERM
# Under TLS set FRESHET_SERVER to https://NAME:8080, a name of the certificate that leads here.
HEALTHCHECK --interval=10s --timeout=6s --start-period=10s --retries=3 \
    CMD freshet health --server "${FRESHET_SERVER:-http://127.0.0.1:${FRESHET_PORT}}"
ENTRYPOINT ["freshet"]
CMD ["serve"]
