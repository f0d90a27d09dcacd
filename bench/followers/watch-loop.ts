// Preloaded into the service (`node --import`): writes each turn of the event loop that took the thread 10 ms of processor time or more.
import { appendFileSync } from 'node:fs';

/** Pause between two looks at the thread's processor time, in milliseconds. */
const EVERY_MS = 2;

/** Shortest turn that is written, in milliseconds. */
const WRITTEN_MS = 10;

const file = process.env['EVENT_LOOP_FILE'];
let before = process.threadCpuUsage();

setInterval(() => {
  const { user, system } = process.threadCpuUsage(before);
  const ms = (user + system) / 1_000;
  if (ms >= WRITTEN_MS && file !== undefined) appendFileSync(file, `${ms.toFixed(1)}\n`);
  before = process.threadCpuUsage();
}, EVERY_MS).unref();
