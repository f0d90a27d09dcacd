import { randomUUID } from 'node:crypto';
import type { RerunReport, RerunRequest, RerunSummary, RerunView } from '../../contracts/rerun.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import { messageOf, ServiceError } from '../lib/errors.ts';
import { iso } from '../lib/iso-time.ts';
import type { KeepTrace } from './port.ts';
import type { RerunSource } from './rerun.ts';

/** Finished reruns that an owner can still ask for. */
const KEPT_MAX = 5;

/** Characters of all traces of a rerun that are kept; those beyond it are not. */
const TRACES_CHARS_MAX = 32 * 1024 * 1024;

/** A rerun to be run. */
export interface RerunStart {
  readonly owner: string;
  readonly request: RerunRequest;
  readonly sources: readonly RerunSource[];
  readonly signal: AbortSignal;
  progress(done: number, all: number): void;
  readonly keepTrace: KeepTrace;
}

/** The reruns of a service, for callers. They are in memory: none survives a restart, and nothing of them is stored. */
export interface Reruns {
  /** Starts a rerun. Throws `TOO_MANY_REQUESTS` while the owner has too many. Never waits for a lane. */
  start(owner: string, request: RerunRequest, sources: readonly RerunSource[]): RerunView;
  /** Newest first. */
  list(owner: string): readonly RerunSummary[];
  /** Throws `RERUN_NOT_FOUND`. */
  get(owner: string, id: string): RerunView;
  /** The trace of a lane, one entry a line. Throws `RERUN_NOT_FOUND`, also where it was too long to be kept. */
  trace(owner: string, id: string, taskId: string, lane: string): string;
  /** Stops a rerun and forgets it. Throws `RERUN_NOT_FOUND`. */
  remove(owner: string, id: string): void;
  running(owner: string): number;
  /** Stops all, and resolves when they have ended. */
  stop(): Promise<void>;
}

interface Kept {
  readonly owner: string;
  readonly stopping: AbortController;
  readonly traces: Map<string, string>;
  traceChars: number;
  summary: RerunSummary;
  report: RerunReport | null;
  over: Promise<void>;
}

const notFound = (): ServiceError =>
  new ServiceError(
    'RERUN_NOT_FOUND',
    'There is no rerun with that id. Reruns are kept in memory: a restart ends them, and only the newest ones stay',
  );

const traceKey = (taskId: string, lane: string): string => `${taskId} ${lane}`;

const textOf = (entries: readonly TaskTraceEntry[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

/** The report, with the addresses of the traces that are kept. */
const withTraces = (report: RerunReport, { summary: { id }, traces }: Kept): RerunReport => ({
  ...report,
  tasks: report.tasks.map((task) => ({
    ...task,
    lanes: task.lanes.map((lane) =>
      traces.has(traceKey(task.task_id, lane.lane))
        ? { ...lane, trace: `/v1/reruns/${id}/traces/${task.task_id}/${lane.lane}` }
        : lane,
    ),
  })),
});

interface Parts {
  run(start: RerunStart): Promise<RerunReport>;
  /** Reruns of an owner at once. */
  atOnce: number;
  now(): number;
}

/** Creates the reruns of a service. */
export const createReruns = ({ run, atOnce, now }: Parts): Reruns => {
  const kept = new Map<string, Kept>();
  const isRunning = ({ summary }: Kept): boolean => summary.state === 'running';
  const ofOwner = (owner: string): Kept[] => [...kept.values()].filter((each) => each.owner === owner).reverse();
  const running = (owner: string): number => ofOwner(owner).filter(isRunning).length;
  const found = (owner: string, id: string): Kept => {
    const rerun = kept.get(id);
    if (rerun === undefined || rerun.owner !== owner) throw notFound();
    return rerun;
  };
  const view = ({ summary, report }: Kept): RerunView => ({ ...summary, report });

  const forgetOld = (owner: string): void => {
    const finished = ofOwner(owner).filter((each) => !isRunning(each));
    for (const { summary } of finished.slice(KEPT_MAX)) kept.delete(summary.id);
  };

  const finish = (rerun: Kept, end: Partial<RerunSummary> & Pick<RerunSummary, 'state'>): void => {
    rerun.summary = { ...rerun.summary, ...end, finished_at: iso(now()) };
    forgetOld(rerun.owner);
  };

  const carryOut = async (rerun: Kept, request: RerunRequest, sources: readonly RerunSource[]): Promise<void> => {
    const { owner, stopping, traces } = rerun;
    try {
      const report = await run({
        owner,
        request,
        sources,
        signal: stopping.signal,
        progress: (done, all) => {
          rerun.summary = { ...rerun.summary, runs: { done, all } };
        },
        keepTrace: (taskId, lane, entries) => {
          const text = textOf(entries);
          if (rerun.traceChars + text.length > TRACES_CHARS_MAX) return;
          rerun.traceChars += text.length;
          traces.set(traceKey(taskId, lane), text);
        },
      });
      rerun.report = withTraces(report, rerun);
      finish(rerun, { state: stopping.signal.aborted ? 'stopped' : 'done', same: report.same });
    } catch (error) {
      finish(rerun, { state: 'failed', reason: messageOf(error) });
    }
  };

  return {
    running,
    start: (owner, request, sources) => {
      if (running(owner) >= atOnce)
        throw new ServiceError(
          'TOO_MANY_REQUESTS',
          `At most ${atOnce} of your reruns can run at once; wait for one to end`,
        );
      const lanes = request.model === undefined && request.instructions === undefined ? 1 : 2;
      const summary: RerunSummary = {
        id: `rerun_${randomUUID().replaceAll('-', '')}`,
        state: 'running',
        created_at: iso(now()),
        finished_at: null,
        tasks: sources.length,
        goal: sources[0]?.recorded.opened.goal ?? '',
        runs: { done: 0, all: sources.length * lanes },
        model: request.model ?? null,
      };
      const rerun: Kept = {
        owner,
        summary,
        report: null,
        traceChars: 0,
        stopping: new AbortController(),
        traces: new Map(),
        over: Promise.resolve(),
      };
      kept.set(summary.id, rerun);
      rerun.over = carryOut(rerun, request, sources);
      return view(rerun);
    },
    list: (owner) => ofOwner(owner).map(({ summary }) => summary),
    get: (owner, id) => view(found(owner, id)),
    trace: (owner, id, taskId, lane) => {
      const text = found(owner, id).traces.get(traceKey(taskId, lane));
      if (text === undefined) throw notFound();
      return text;
    },
    remove: (owner, id) => {
      found(owner, id).stopping.abort();
      kept.delete(id);
    },
    stop: async () => {
      const all = [...kept.values()];
      for (const { stopping } of all) stopping.abort();
      await Promise.all(all.map(({ over }) => over));
    },
  };
};
