import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import type { TurnView } from '../../contracts/turn-view.ts';
import { createLog } from '../../src/lib/log.ts';
import { createTracing } from '../../src/telemetry/tracing/tracing.ts';
import { someTurn } from '../support/http/stub-engine.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Memory that is in use, in MiB, once nothing is left to be collected. */
const usedMiB = (): number => {
  collect();
  return process.memoryUsage().heapUsed / 1024 / 1024;
};

/** A collector that takes every request in and answers none, and tracing that sends to it. */
const traced = async (env: Record<string, string> = {}) => {
  let requests = 0;
  const collector = createServer((request) => {
    requests += 1;
    request.resume();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void collector.close().closeAllConnections());
  await once(collector, 'listening');
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = endpoint;
  onTestFinished(() => void delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT']);
  const log = createLog({ level: 'silent' });
  const tracing = createTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...env }, { model: 'm', version: '1', log });
  const report = (turn: TurnView): void =>
    tracing.telemetry.committed({
      session_id: 's1',
      duration_ms: 1,
      steps: [],
      turns: [{ turn, traceparent: undefined }],
    });
  return { tracing, report, requests: () => requests };
};

const begun = (i: number): TurnView => ({ ...someTurn(false), id: `turn_${i}`, task_id: `task_${i}` });
const ended = (turn: TurnView): TurnView => ({ ...turn, status: 'answered', finished_at: turn.created_at });

it('holds no more spans than fit into its queue while the collector answers nothing, and ends', async () => {
  const { tracing, report, requests } = await traced();
  report(begun(0));
  const before = usedMiB();
  const effect = { effect: 1, type: 'model.plan', params: { attempt: 1 } } as const;
  // One task of 30,000 steps, and as many turns that end.
  for (let i = 1; i <= 30_000; i += 1) {
    tracing.telemetry
      .effectStarted(effect, {
        session_id: 's1',
        task_id: 'task_0',
        effect_id: 'task_0.1',
        turn_id: 'turn_0',
        model: 'm',
      })
      .ended('aborted', undefined);
    report(begun(i));
    report(ended(begun(i)));
    if (i % 1_000 === 0) await nextTurn();
  }
  await expect.poll(requests).toBe(1);
  expect(usedMiB() - before).toBeLessThan(16);
  await tracing.close();
});

it.each([['OTEL_BSP_MAX_EXPORT_BATCH_SIZE'], ['OTEL_BSP_MAX_QUEUE_SIZE']])(
  'takes no 0 for %s, which would send nothing for ever',
  async (name) => {
    const { tracing, report, requests } = await traced({ [name]: '0', OTEL_BSP_SCHEDULE_DELAY: '10' });
    report(begun(0));
    report(ended(begun(0)));
    await expect.poll(requests).toBe(1);
    await tracing.close();
  },
);
