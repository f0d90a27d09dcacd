/** Settings that keep the peers' packages from sending telemetry and from logging. */
export const QUIET = {
  NODE_NO_WARNINGS: '1',
  RESTATE_LOGGING: 'ERROR',
  MASTRA_TELEMETRY_DISABLED: '1',
  OPENAI_AGENTS_DISABLE_TRACING: '1',
  LANGSMITH_TRACING: 'false',
};
