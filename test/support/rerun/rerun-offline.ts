import type { RerunReport } from '../../../contracts/rerun.ts';
import { type RerunTraces, rerunTraces } from '../../../src/app/rerun-traces.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { createLog } from '../../../src/lib/log.ts';
import type { RecordedTask } from '../../../src/rerun/recording.ts';

/** Runs recorded tasks again, one at a time and without a candidate, by the offline model unless `given` says otherwise. */
export const rerunOffline = (tasks: readonly RecordedTask[], given: Partial<RerunTraces> = {}): Promise<RerunReport> =>
  rerunTraces({
    sources: tasks.map((recorded) => ({ source: null, recorded })),
    config: loadConfig({ TRIPACT_MODEL: 'offline' }),
    file: {},
    env: {},
    log: createLog({ level: 'silent' }),
    version: 'test',
    model: null,
    instructions: null,
    liveReads: false,
    maxCost: null,
    concurrency: 1,
    signal: new AbortController().signal,
    ...given,
  });
