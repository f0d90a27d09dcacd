import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/lib/log.ts';
import { loggedExporter } from '../../src/telemetry/tracing/logged-exporter.ts';
import { createTracing } from '../../src/telemetry/tracing/tracing.ts';
import { sendJson, serve } from '../support/http/local-server.ts';
import { someTurn } from '../support/http/stub-engine.ts';

/** Turns that ended and were not sent yet. */
const ENDED = 4_100;

it.each(['4096', '64'])(
  'at the end all spans are sent, one request of 1,024 at most after the other: batches of %s',
  async (size) => {
    let open = 0;
    let mostOpen = 0;
    const sizes: number[] = [];
    const { origin } = await serve(async ({ body }, response) => {
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      sizes.push(body.split('"spanId"').length - 1);
      await nextTurn();
      open -= 1;
      sendJson(response, {});
    });
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = origin;
    onTestFinished(() => void delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT']);
    const env = { OTEL_BSP_MAX_QUEUE_SIZE: String(ENDED), OTEL_BSP_MAX_EXPORT_BATCH_SIZE: size };
    const { telemetry, close } = createTracing(env, { model: 'm', version: '1', log: createLog({ level: 'silent' }) });
    for (let i = 0; i < ENDED; i += 1) {
      const turn = { ...someTurn(false), id: `turn_${i}`, task_id: `task_${i}` };
      const ended = { ...turn, status: 'answered' as const, finished_at: turn.created_at };
      const turns = [turn, ended].map((each) => ({ turn: each, traceparent: undefined }));
      telemetry.committed({ session_id: 's1', duration_ms: 1, steps: [], turns });
    }
    await close();
    expect(sizes.reduce((sum, each) => sum + each, 0)).toBe(ENDED);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_024);
    expect(mostOpen).toBe(1);
  },
);

it('while a collector does not answer, spans beyond 65,536 are lost, and the others are sent once it does', async () => {
  const asked = Promise.withResolvers<(result: ExportResult) => void>();
  let sent = 0;
  const exporter = loggedExporter(
    {
      export: (_, done) => {
        sent += 1;
        if (sent === 1) asked.resolve(done);
        else done({ code: ExportResultCode.SUCCESS });
      },
      shutdown: async () => {},
    },
    createLog({ level: 'silent' }),
  );
  let lost = 0;
  const batch = () =>
    new Promise<void>((resolve) => {
      exporter.export(Array(1_024).fill({}), ({ code }) => {
        if (code === ExportResultCode.FAILED) lost += 1;
        resolve();
      });
    });
  const batches = Array.from({ length: 70 }, batch);
  expect(lost).toBe(6);
  (await asked.promise)({ code: ExportResultCode.SUCCESS });
  await Promise.all(batches);
  await batch();
  expect({ sent, lost }).toEqual({ sent: 65, lost: 6 });
});
