import { expect, it, vi } from 'vitest';
import { createLog } from '../../src/lib/log.ts';
import type { Telemetry } from '../../src/telemetry/port.ts';
import { createTracing } from '../../src/telemetry/tracing/tracing.ts';
import { sendJson, serve } from '../support/http/local-server.ts';
import { someTurn } from '../support/http/stub-engine.ts';

/** Reports so many turns that ended. */
const report = ({ committed }: Telemetry, ended: number): void => {
  for (let i = 0; i < ended; i += 1) {
    const turn = { ...someTurn(false), id: `turn_${i}`, task_id: `task_${i}` };
    const turns = [turn, { ...turn, status: 'answered' as const, finished_at: turn.created_at }];
    committed({
      session_id: 's1',
      duration_ms: 1,
      steps: [],
      turns: turns.map((each) => ({ turn: each, traceparent: undefined })),
    });
  }
};

const tracingTo = (origin: string, env: Record<string, string>, log = createLog({ level: 'silent' })) => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', origin);
  return createTracing(env, { model: 'm', version: '1', mask: String, log });
};

it('at the end all spans are sent', async () => {
  let spans = 0;
  const { origin } = await serve(({ body }, response) => {
    spans += body.split('"spanId"').length - 1;
    sendJson(response, {});
  });
  const { telemetry, close } = tracingTo(origin, {});
  report(telemetry, 1_000);
  await close();
  expect(spans).toBe(1_000);
});

it('a collector that refuses spans is logged once, without their content', async () => {
  const { origin } = await serve((_, response) => {
    response.writeHead(400).end('no');
  });
  const log = createLog({ level: 'silent' });
  const warn = vi.spyOn(log, 'warn');
  const { telemetry, close } = tracingTo(origin, { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1' }, log);
  report(telemetry, 3);
  await close();
  expect(warn.mock.calls).toEqual([[{ spans: 1, reason: expect.any(String) }, 'spans could not be exported']]);
});
