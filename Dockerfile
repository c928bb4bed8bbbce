# syntax=docker/dockerfile:1
# The service as an image: docs/guides/install.md. For both platforms at once:
#   docker buildx build --platform linux/amd64,linux/arm64 --tag restock:1.0.0 .
ARG NODE=node:24-bookworm-slim

# The release is JavaScript, the same for every platform: it is built once, on the builder's own.
FROM --platform=$BUILDPLATFORM ${NODE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

# Its packages, as the lock file says, for the platform of the image; without their scripts, which would only compile what is optional.
FROM ${NODE} AS packages
WORKDIR /opt/restock
COPY --from=build /build/gen/srv/package.json /build/gen/srv/package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts

FROM ${NODE}
LABEL org.opencontainers.image.title="Restock" \
      org.opencontainers.image.description="Demand forecasts and order proposals beside your ERP" \
      org.opencontainers.image.version="1.0.0" \
      org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /opt/restock
COPY --from=packages /opt/restock/node_modules ./node_modules
COPY --from=build /build/gen/srv ./
# All that the service writes; everything else belongs to root, and may be mounted for reading alone.
RUN install -d -o 1000 -g 1000 /var/lib/restock
ENV NODE_ENV=production \
    CDS_ENV=postgres \
    PORT=4004 \
    RESTOCK_CSV_ROOT=/var/lib/restock/data \
    RESTOCK_CA_ROOT=/var/lib/restock/certificates \
    RESTOCK_AUDIT_ANCHOR_FILE=/var/lib/restock/audit.anchor
USER 1000:1000
EXPOSE 4004
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --retries=3 --start-period=180s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "srv/base/start/start.js"]
