import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

/** Reads a file repeatedly, and reports each new text; one that is no JSON as `broken`. */
const PROGRAM = `
  const { readFileSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  let last = '';
  for (;;) {
    let text;
    try { text = readFileSync(workerData, 'utf8'); } catch (error) {
      if (error.code !== 'ENOENT' || last !== '') parentPort.postMessage({ broken: last === '' ? error.code : 'it was gone for a moment' });
      continue;
    }
    if (text === last) continue;
    last = text;
    try { parentPort.postMessage({ read: JSON.parse(text) }); } catch { parentPort.postMessage({ broken: text }); }
  }
`;

/** A reader in a tight loop on one file. */
export interface PlanReader {
  /** Statuses of `plan.json` in the order that they were seen. */
  readonly seen: { status: string }[];
  /** What was there and no JSON, or not there although it had been. */
  readonly broken: string[];
  /** Resolves when it has read a plan that matches. */
  reads(isIt: (plan: { status: string }) => boolean): Promise<void>;
}

/** Starts a reader in a thread of its own; it ends with the test. */
export const startPlanReader = async (file: string): Promise<PlanReader> => {
  const worker = new Worker(PROGRAM, { eval: true, workerData: file });
  onTestFinished(async () => void (await worker.terminate()));
  const seen: { status: string }[] = [];
  const broken: string[] = [];
  const checks = new Set<() => void>();
  worker.on('message', (message: { read: { status: string } } | { broken: string }) => {
    if ('broken' in message) broken.push(message.broken);
    else seen.push(message.read);
    for (const check of [...checks]) check();
  });
  await once(worker, 'online');
  return {
    seen,
    broken,
    reads: (isIt) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!seen.some(isIt)) return;
          checks.delete(check);
          resolve();
        };
        checks.add(check);
        check();
      }),
  };
};
