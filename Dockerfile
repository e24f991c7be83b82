# Both images are Debian 12, so that what is built with one runs on the other.
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
COPY Sources Sources
COPY Tests Tests
RUN swift build --configuration release --product freshet --static-swift-stdlib \
    && install -D --strip "$(swift build --configuration release --show-bin-path)/freshet" /out/freshet

FROM ${RUN_IMAGE}
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        ca-certificates libcurl4 libpq5 libsqlite3-0 libssl3 libstdc++6 zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin freshet \
    && install -d -o freshet -g freshet /var/lib/freshet
COPY --from=build /out/freshet /usr/local/bin/freshet
COPY Public /usr/share/freshet/Public

# FRESHET_DATA is where feeds are kept.
ENV FRESHET_HOST=0.0.0.0 \
    FRESHET_PORT=8080 \
    FRESHET_PUBLIC=/usr/share/freshet/Public \
    FRESHET_DATA=/var/lib/freshet
VOLUME /var/lib/freshet
# By number, so that orchestrators can see that it is not root.
USER 10001
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s \
    CMD freshet health --server "http://127.0.0.1:${FRESHET_PORT}"
ENTRYPOINT ["freshet"]
CMD ["serve"]
