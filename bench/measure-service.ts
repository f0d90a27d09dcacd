import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, cpuMs, nextMessage, type Processes, whenReady, withProcesses } from './processes.ts';
import { CALLS, quantile, SESSIONS } from './whole-service/load.ts';
import type { ModelReport } from './whole-service/model-server.ts';

/** The peak resident memory of a process, in MiB. */
const peakMib = ({ pid }: ChildProcess): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

interface Load {
  cpu: number;
  peak: number;
  p50: number;
  p99: number;
}

/** Runs one load: `measured` is the process whose costs count, `driver` returns the turns' durations. */
const run = async (measured: ChildProcess, driver: ChildProcess, model: ChildProcess): Promise<Load> => {
  const before = cpuMs(measured);
  const durations = await ask<number[]>(driver);
  const used = cpuMs(measured) - before;
  const peak = peakMib(measured);
  const { ownTime } = await ask<ModelReport>(model);
  const added = durations.map((ms, i) => (ms - (ownTime[i + 1] ?? Number.NaN)) / CALLS).sort((a, b) => a - b);
  return { cpu: used / (SESSIONS * CALLS), peak, p50: quantile(added, 0.5), p99: quantile(added, 0.99) };
};

/**
 * The whole service: `tripact serve` with the real SDK, a model that takes a second, and 1,000 turns at once over HTTP,
 * each part in its own process on loopback; then the SDK alone, with the service's requests, against the same model.
 */
const measure = async (dir: string, { serve, start, startModel, stop }: Processes): Promise<Record<string, number>> => {
  const { model, settings } = await startModel();
  const server = await serve(dir, settings);
  await whenReady(server);
  const clients = start('whole-service/clients.ts', String(server.port));
  await nextMessage(clients);
  const { bodies } = await ask<ModelReport>(model);
  const service = await run(server.process, clients, model);
  await Promise.all([stop(clients), stop(server.process)]);

  const bodiesFile = join(dir, 'bodies.json');
  writeFileSync(bodiesFile, JSON.stringify(bodies));
  const alone = start('whole-service/sdk-alone.ts', String(settings['ANTHROPIC_BASE_URL']), bodiesFile);
  await nextMessage(alone);
  await ask<ModelReport>(model);
  const sdk = await run(alone, alone, model);
  return {
    service_cpu_ms: service.cpu,
    sdk_cpu_ms: sdk.cpu,
    cpu_ratio: service.cpu / sdk.cpu,
    service_peak_mib: service.peak,
    sdk_peak_mib: sdk.peak,
    peak_ratio: service.peak / sdk.peak,
    service_added_p50_ms: service.p50,
    sdk_added_p50_ms: sdk.p50,
    service_added_p99_ms: service.p99,
    sdk_added_p99_ms: sdk.p99,
    p99_ratio: service.p99 / sdk.p99,
  };
};

const [, , , dir = ''] = process.argv;
console.log(JSON.stringify(await withProcesses((processes) => measure(dir, processes))));
