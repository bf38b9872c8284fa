# Both stages are Debian 12: the binary carries its libraries, but for the C library, which it has to find again.
FROM swift:6.3-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates libsqlite3-dev libssl-dev pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift ./
COPY Plugins Plugins
COPY Sources Sources
COPY Kits/swift Kits/swift
COPY bench/sources bench/sources
# Not run here, but named in Package.swift.
COPY Tests Tests
RUN HOMEPORT_STATIC=1 swift build -c release --product homeport --static-swift-stdlib \
    && strip -o /homeport .build/release/homeport

FROM debian:bookworm-slim
# `scripts/container-packages` checks that nothing is missing.
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin homeport \
    && install -d -o homeport -g homeport /data
# The authorities that vouch for functions and issuers elsewhere.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /homeport /usr/local/bin/homeport
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 20002
# Other containers call this one by its name, which is best this one; any other has to be set.
ENV HOMEPORT_HOST=0.0.0.0 \
    HOMEPORT_ALLOWED_HOSTS=homeport \
    HOMEPORT_DATA=/data \
    HOMEPORT_WATCH=false \
    HOMEPORT_FUNCTIONS_STRICT=true \
    SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s CMD ["homeport", "health"]
ENTRYPOINT ["homeport"]
CMD ["serve"]
