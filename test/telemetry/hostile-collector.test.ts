import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ANSWER_BYTES_MAX, createCollectorExporter } from '../../src/telemetry/tracing/collector-exporter.ts';

/** What a socket may give at once, of which the first bytes were allowed. */
const READ_BYTES_MAX = 65_536;

const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';

/** Starts a collector that does with each connection what `answer` does once something was asked, and an exporter that sends to it. */
const exporterTo = async (answer: (socket: Socket) => void, timeoutMillis: number): Promise<SpanExporter> => {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    socket.once('data', () => answer(socket)).resume();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    for (const socket of open) socket.destroy();
    await new Promise((closed) => server.close(closed));
  });
  return createCollectorExporter({}, timeoutMillis);
};

/** Sends a batch, and gives how it ended. */
const send = (exporter: SpanExporter): Promise<ExportResult> => new Promise((done) => exporter.export([], done));

/** Writes a text again and again, for as long as it is taken. */
const writeForEver = (socket: Socket, text: string): void => {
  while (socket.writable && socket.write(text));
  if (socket.writable) socket.once('drain', () => writeForEver(socket, text));
};

/** The connections that are made from now on by this process. */
const connectionsMade = (): Socket[] => {
  const made: Socket[] = [];
  const add = (message: unknown): void => void made.push((message as { socket: Socket }).socket);
  subscribe('net.client.socket', add);
  onTestFinished(() => void unsubscribe('net.client.socket', add));
  return made;
};

it.each([
  ['chunks of one byte', CHUNKED, '1\r\nx\r\n'.repeat(10_000)],
  ['answers that come before the answer', '', 'HTTP/1.1 102 \r\n\r\n'.repeat(4_000)],
])('of a collector that sends %s without end 32 KiB are read, and the batch fails', async (_what, head, text) => {
  const exporter = await exporterTo((socket) => {
    socket.write(head);
    writeForEver(socket, text);
  }, 30_000);
  const connections = connectionsMade();
  expect((await send(exporter)).code).toBe(ExportResultCode.FAILED);
  expect(connections).toHaveLength(1);
  expect(connections[0]?.bytesRead).toBeLessThanOrEqual(ANSWER_BYTES_MAX + READ_BYTES_MAX);
  expect(connections[0]?.destroyed).toBe(true);
});

it.each([
  ['answers that come before the answer', '', 'HTTP/1.1 102 \r\n\r\n'],
  ['chunks of one byte', CHUNKED, '1\r\nx\r\n'],
])(
  'a batch ends at its time limit, although the collector sends %s slowly all the while',
  async (_what, head, text) => {
    const exporter = await exporterTo((socket) => {
      socket.write(head);
      let sent = 0;
      const timer = setInterval(() => socket.write(text.charAt(sent++ % text.length)), 10);
      socket.on('close', () => clearInterval(timer));
    }, 300);
    const { code, error } = await send(exporter);
    expect([code, error?.message]).toEqual([ExportResultCode.FAILED, 'the collector did not answer within 300 ms']);
  },
);

it('batches go out by one connection, each with 32 KiB of its own, and one after a failure by another', async () => {
  let isHostile = false;
  const exporter = await exporterTo((socket) => {
    const answer = (): void => {
      if (isHostile) writeForEver(socket, 'x'.repeat(1_000));
      else socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 20000\r\n\r\n{${' '.repeat(19_998)}}`);
    };
    answer();
    socket.on('data', (chunk) => {
      if (chunk.includes('POST')) answer();
    });
  }, 30_000);
  const connections = connectionsMade();
  for (let i = 0; i < 3; i += 1) expect((await send(exporter)).code).toBe(ExportResultCode.SUCCESS);
  expect(connections).toHaveLength(1);
  isHostile = true;
  expect((await send(exporter)).code).toBe(ExportResultCode.FAILED);
  isHostile = false;
  expect((await send(exporter)).code).toBe(ExportResultCode.SUCCESS);
  expect(connections).toHaveLength(2);
});

it.each(['', 'TRACES_'])(
  'a collector is reached with the certificates that OTEL_EXPORTER_OTLP_%s… name',
  async (which) => {
    const [certificate, key] = ['localhost.crt', 'localhost.key'].map((name) =>
      fileURLToPath(new URL(`../support/certificates/${name}`, import.meta.url)),
    ) as [string, string];
    const cert = readFileSync(certificate);
    const server = createTlsServer(
      { cert, key: readFileSync(key), ca: cert, requestCert: true, rejectUnauthorized: true },
      (request, response) => {
        request.resume();
        response.end('{}');
      },
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `https://127.0.0.1:${(server.address() as AddressInfo).port}`);
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    });
    const named = {
      [`OTEL_EXPORTER_OTLP_${which}CERTIFICATE`]: certificate,
      [`OTEL_EXPORTER_OTLP_${which}CLIENT_CERTIFICATE`]: certificate,
      [`OTEL_EXPORTER_OTLP_${which}CLIENT_KEY`]: key,
    };
    expect(await send(createCollectorExporter(named, 30_000))).toEqual({ code: ExportResultCode.SUCCESS });
    expect((await send(createCollectorExporter({}, 30_000))).code).toBe(ExportResultCode.FAILED);
  },
);
