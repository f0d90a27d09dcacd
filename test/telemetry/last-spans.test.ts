import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/log.ts';
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
