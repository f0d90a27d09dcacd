import { watch } from 'node:fs';
import type { Bridge } from './bridge-folder.ts';
import { reportNames } from './command-file.ts';
import type { Inbox } from './inbox.ts';
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

/** A report that was found: what it says, where it is now, and under which name. */
export interface FoundReport {
  read: ReadReport;
  folder: 'reportsPending' | 'reportsProcessed';
  name: string;
}

type PollResult = FoundReport | 'writing' | 'nothing';

/** Reads a report on command `id` in its folder. What is no regular file is an invalid report. */
export const readReportIn = async (
  bridge: Bridge,
  { folder, name }: Pick<FoundReport, 'folder' | 'name'>,
  id: string,
): Promise<{ text: string; read: ReadReport }> => {
  const text = await bridge.read(folder, name);
  if (text === null) return { text: '', read: { ok: false, problem: { name: 'not_a_file', detail: '' } } };
  return { text, read: readReport(text, id) };
};

/** Creates the function that polls for a report, and returns it once it has stopped changing. */
const createPoll = (
  bridge: Bridge,
  inbox: Inbox,
  { id, processed }: AwaitedReport,
  { settleMs, graceMs }: ReportTimeouts,
): (() => Promise<PollResult>) => {
  let seen = { mark: '', since: 0 };
  const finalNames = processed === null ? reportNames(id) : [processed];
  return async () => {
    for (const name of finalNames) {
      const final = { folder: 'reportsProcessed', name } as const;
      if ((await bridge.stateOf(final.folder, name)) !== null)
        return { ...final, read: (await readReportIn(bridge, final, id)).read };
    }
    const name = await inbox.find(id);
    if (name === null) return 'nothing';
    const markNow = async () => (await bridge.stateOf('reportsPending', name))?.mark;
    const mark = await markNow();
    if (mark === undefined) return 'nothing';
    const ownMark = `${name}:${mark}`;
    if (ownMark !== seen.mark) seen = { mark: ownMark, since: performance.now() };
    const quietMs = performance.now() - seen.since;
    if (quietMs < settleMs) return 'writing';
    const found = { folder: 'reportsPending', name } as const;
    const { read } = await readReportIn(bridge, found, id);
    if ((await markNow()) !== mark) return 'writing';
    const isWhole = read.ok && read.report.body !== '';
    return isWhole || quietMs >= graceMs ? { ...found, read } : 'writing';
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

/** Which report is waited for: on command `id`; `processed` is its name in `reports/processed`, once it was moved there. */
export interface AwaitedReport {
  id: string;
  processed: string | null;
}

/**
 * Waits until the report on a command has stopped changing in `reports/pending`, and reads it; one that is in `reports/processed`
 * is final. Null when none came in time; one that is being written at the timeout gets `graceMs` to become final.
 * Calls `idle` whenever a poll finds nothing. Rejects at once when `signal` aborts; moves nothing.
 */
export const awaitReport = async (
  bridge: Bridge,
  inbox: Inbox,
  awaited: AwaitedReport,
  timeouts: ReportTimeouts,
  signal: AbortSignal,
  idle: () => Promise<void> = async () => {},
): Promise<FoundReport | null> => {
  const { timeoutMs, pollMs, settleMs, graceMs } = timeouts;
  const deadline = performance.now() + timeoutMs;
  const poll = createPoll(bridge, inbox, awaited, timeouts);
  let wake = (): void => {};
  const stopWatching = watchFolder(bridge.pathOf('reportsPending'), () => wake());
  const stop = (): void => wake();
  signal.addEventListener('abort', stop);
  try {
    for (;;) {
      signal.throwIfAborted();
      const found = await poll();
      signal.throwIfAborted();
      if (typeof found === 'object') return found;
      if (found === 'nothing') await idle();
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
