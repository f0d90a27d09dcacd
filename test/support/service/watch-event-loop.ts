// Preloaded into the service by tests (`node --import`): writes a line for every time that the event loop was blocked.
import { appendFileSync } from 'node:fs';

/** The sampling interval, in milliseconds. */
const BEAT_MS = 5;

/** From here on it was blocked, in milliseconds of the main thread's own CPU time. */
const BLOCKED_MS = Number(process.env['EVENT_LOOP_BLOCKED_MS'] ?? 50);

const file = process.env['EVENT_LOOP_FILE'];
let last = performance.now();
let cpu = process.threadCpuUsage();

// CPU time of this thread and not the clock: a machine that does other things meanwhile lets any process wait.
setInterval(() => {
  const now = performance.now();
  const { user, system } = process.threadCpuUsage(cpu);
  const cpuMs = (user + system) / 1_000;
  if (cpuMs >= BLOCKED_MS && file !== undefined)
    appendFileSync(
      file,
      `${JSON.stringify({ at: Date.now(), wallMs: Math.round(now - last), cpuMs: Math.round(cpuMs) })}\n`,
    );
  last = now;
  cpu = process.threadCpuUsage();
}, BEAT_MS).unref();
