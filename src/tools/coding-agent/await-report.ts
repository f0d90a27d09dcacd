import { watch } from 'node:fs';
import type { Bridge } from './bridge-folder.ts';
import { reportName } from './command-file.ts';
import { type ReadReport, readReport } from './report-file.ts';

/** Timeouts of waiting for a report, in milliseconds. */
export interface ReportTimeouts {
  /** For a report to appear. */
  timeoutMs: number;
  /** Between two polls where the file system reports no change: network file systems never do. */
  pollMs: number;
  /** A report must stay unchanged before it is taken: it may still be being written. */
  settleMs: number;
  /** One that is empty or can't be read must stay unchanged this long before it is taken for what it is. */
  graceMs: number;
}

type PollResult = { read: ReadReport } | 'writing' | 'nothing';

/** Reads a report in its folder. What is no regular file is an invalid report. */
export const readReportIn = async (
  bridge: Bridge,
  folder: 'reportsPending' | 'reportsProcessed',
  id: string,
): Promise<{ text: string; read: ReadReport }> => {
  const text = await bridge.read(folder, reportName(id));
  if (text === null) return { text: '', read: { ok: false, problem: { name: 'not_a_file', detail: '' } } };
  return { text, read: readReport(text, id) };
};

/** Creates the function that polls for a report, and returns it once it has stopped changing. */
const createPoll = (bridge: Bridge, id: string, { settleMs, graceMs }: ReportTimeouts): (() => Promise<PollResult>) => {
  let seen = { mark: '', since: 0 };
  const markNow = async () => (await bridge.stateOf('reportsPending', reportName(id)))?.mark;
  return async () => {
    if ((await bridge.stateOf('reportsProcessed', reportName(id))) !== null)
      return { read: (await readReportIn(bridge, 'reportsProcessed', id)).read };
    const mark = await markNow();
    if (mark === undefined) return 'nothing';
    if (mark !== seen.mark) seen = { mark, since: performance.now() };
    const quietMs = performance.now() - seen.since;
    if (quietMs < settleMs) return 'writing';
    const { read } = await readReportIn(bridge, 'reportsPending', id);
    if ((await markNow()) !== mark) return 'writing';
    const isWhole = read.ok && read.report.body !== '';
    return isWhole || quietMs >= graceMs ? { read } : 'writing';
  };
};

/** Calls `wake` when a folder changes, as far as the file system reports changes; returns the function that stops watching. */
const watchFolder = (path: string, wake: () => void): (() => void) => {
  try {
    const watcher = watch(path, { persistent: false }, wake);
    // Polling continues.
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => {};
  }
};

/**
 * Waits until the report on a command has stopped changing in `reports/pending`, and reads it; one that is in `reports/processed`
 * is final. Null when none came in time; one that is being written at the timeout gets `graceMs` to become final.
 * Rejects at once when `signal` aborts; moves nothing.
 */
export const awaitReport = async (
  bridge: Bridge,
  id: string,
  timeouts: ReportTimeouts,
  signal: AbortSignal,
): Promise<ReadReport | null> => {
  const { timeoutMs, pollMs, settleMs, graceMs } = timeouts;
  const deadline = performance.now() + timeoutMs;
  const poll = createPoll(bridge, id, timeouts);
  let wake = (): void => {};
  const stopWatching = watchFolder(bridge.pathOf('reportsPending'), () => wake());
  const stop = (): void => wake();
  signal.addEventListener('abort', stop);
  try {
    for (;;) {
      signal.throwIfAborted();
      const found = await poll();
      signal.throwIfAborted();
      if (typeof found === 'object') return found.read;
      const leftMs = deadline + (found === 'writing' ? graceMs : 0) - performance.now();
      if (leftMs <= 0) return null;
      const nextMs = found === 'writing' ? Math.min(pollMs, settleMs) : pollMs;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(1, Math.min(nextMs, leftMs)));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } finally {
    signal.removeEventListener('abort', stop);
    stopWatching();
  }
};
