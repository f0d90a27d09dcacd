import { readFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { TracingEnvironment } from './traced-service.ts';

/** Bytes that are read of what a collector answers to one batch, retries too: an answer has some hundreds. The exporter keeps each chunk of up to 4 MB, and parses what comes in one piece. */
export const ANSWER_BYTES_MAX = 32 * 1_024;

/** A file that one of OpenTelemetry's variables names; undefined: none does. */
const fileOf = async (env: TracingEnvironment, name: string): Promise<Buffer | undefined> => {
  const path = env[`OTEL_EXPORTER_OTLP_TRACES_${name}`]?.trim() || env[`OTEL_EXPORTER_OTLP_${name}`]?.trim();
  return path ? readFile(path) : undefined;
};

/** Certificates by OpenTelemetry's variables, which the exporter reads for agents of its own alone. */
const certificatesOf = async (env: TracingEnvironment): Promise<https.AgentOptions> => ({
  ca: await fileOf(env, 'CERTIFICATE'),
  cert: await fileOf(env, 'CLIENT_CERTIFICATE'),
  key: await fileOf(env, 'CLIENT_KEY'),
});

/**
 * Makes what sends spans to a collector, a batch at a time. Its endpoint, headers and compression it takes from OpenTelemetry's variables by itself. A batch fails
 * once the collector answers with more than 32 KiB, or `timeoutMillis` after it was begun, whatever comes until then.
 */
export const createCollectorExporter = (env: TracingEnvironment, timeoutMillis: number): SpanExporter => {
  let agent: http.Agent | undefined;
  let received = 0;
  const createAgent = async (protocol: string): Promise<http.Agent> => {
    const made =
      protocol === 'https:'
        ? new https.Agent({ keepAlive: true, ...(await certificatesOf(env)) })
        : new http.Agent({ keepAlive: true });
    const connect = made.createConnection.bind(made);
    made.createConnection = (options, connected) => {
      const socket = connect(options, connected);
      return socket?.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (received > ANSWER_BYTES_MAX) socket.destroy(new Error('the collector answers with more than 32 KiB'));
      });
    };
    agent = made;
    return made;
  };
  const exporter = new OTLPTraceExporter({ timeoutMillis, httpAgentOptions: createAgent });
  const endRequests = (): void => {
    for (const socket of Object.values(agent?.sockets ?? {}).flat())
      socket?.destroy(new Error(`the collector did not answer within ${timeoutMillis} ms`));
  };
  return {
    export: (spans, done) => {
      received = 0;
      // Again where a retry was begun in the same moment.
      const timer = setInterval(endRequests, timeoutMillis).unref();
      exporter.export(spans, (result) => {
        clearInterval(timer);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  };
};
