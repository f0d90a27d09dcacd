# The console is built with packages that the service does without.
FROM node:24.21.0-slim AS console
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
RUN npm ci --ignore-scripts
COPY .ci/build-console.ts ./.ci/
COPY contracts ./contracts
COPY machines ./machines
COPY src ./src
RUN node .ci/build-console.ts /app/console

# The Node that the checkout runs on.
FROM node:24.21.0-slim

ENV NODE_ENV=production
WORKDIR /app

# The optional packages are Node itself, for hosts that have an older one: this image has it.
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force

COPY contracts ./contracts
COPY machines ./machines
COPY src ./src
COPY --from=console /app/console ./console

# The code stays root's: the service can write its data, and what npx fetches for MCP servers.
RUN mkdir /data /home/node/.npm && chown node:node /data /home/node/.npm && chmod 700 /data
VOLUME /data
USER node

# Beyond loopback, a start without TRIPACT_API_KEYS is refused: see TRIPACT_ALLOW_UNAUTHENTICATED.
ENV TRIPACT_HOST=0.0.0.0 TRIPACT_PORT=8787 TRIPACT_DATA_DIR=/data
EXPOSE 8787

HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.TRIPACT_PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]

CMD ["node", "src/main.mjs"]
