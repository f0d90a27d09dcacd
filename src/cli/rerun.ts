import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import manifest from 'tripact/package.json' with { type: 'json' };
import { messages } from '../../contracts/messages/messages.ts';
import { languageOf } from '../../contracts/text.ts';
import { Amount } from '../../contracts/usage.ts';
import { secretsOf } from '../app/redaction.ts';
import { rerunTraces } from '../app/rerun-traces.ts';
import { traceLines } from '../history/trace-lines.ts';
import { ServiceError } from '../lib/errors.ts';
import { createLog } from '../lib/log.ts';
import { jsonLine } from '../lib/printable.ts';
import { readRecording } from '../rerun/recording.ts';
import { type RerunSource, rerunSource } from '../rerun/rerun.ts';
import { CommandFailure, exitCode, wrongUsage } from './failure.ts';
import { rerunText } from './rerun-table.ts';
import { type CliOptions, loadSettings, warnOfUnknown } from './settings.ts';
import { noteTo } from './terminal.ts';

const STDIN = '-';

const CONCURRENCY_MAX = 64;
const CONCURRENCY_DEFAULT = '4';

/** How often a long rerun says how far it is, in milliseconds. */
const PROGRESS_MS = 2_000;

const readFaults = (file: string, error: unknown): unknown => {
  const { code } = error as { code?: unknown };
  if (error instanceof ServiceError) return new CommandFailure(`${file}: ${error.message}`);
  if (code === 'ENOENT') return wrongUsage(`${file}: there is no such file`);
  return code === 'EISDIR' ? wrongUsage(`${file}: it is a folder`) : error;
};

/** The recorded tasks of a file. */
const sourcesIn = async (file: string): Promise<RerunSource[]> => {
  try {
    const lines = traceLines(file === STDIN ? process.stdin : createReadStream(file));
    const source = file === STDIN ? null : file;
    return (await readRecording(lines)).map((recorded) => rerunSource(recorded, source));
  } catch (error) {
    throw readFaults(file === STDIN ? 'standard input' : file, error);
  }
};

const instructionsIn = async (file: string | undefined): Promise<string | null> => {
  if (file === undefined) return null;
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw wrongUsage(`--instructions ${file} cannot be read: ${(error as Error).message}`);
  }
};

const concurrencyOf = (given: string): number => {
  const count = Number(given);
  if (Number.isInteger(count) && count >= 1 && count <= CONCURRENCY_MAX) return count;
  throw wrongUsage(`--concurrency must be 1 to ${CONCURRENCY_MAX}`);
};

const maxCostOf = (given: string | undefined, hasPrices: boolean): string | null => {
  if (given === undefined) return null;
  if (!Amount.safeParse(given).success) throw wrongUsage(`--max-cost ${given} is not an amount, such as 2.50`);
  if (!hasPrices) throw wrongUsage('--max-cost needs "prices" in tripact.config.ts: without them no cost is known');
  return given;
};

/** First Ctrl-C: ends what runs, and what has ended is shown. Second: ends the process at once. */
const stopOnInterrupt = (note: () => void) => {
  const stopped = new AbortController();
  const interrupt = (): void => {
    if (stopped.signal.aborted) process.exit(exitCode.interrupted);
    note();
    stopped.abort();
  };
  process.on('SIGINT', interrupt);
  return { signal: stopped.signal, settle: () => void process.off('SIGINT', interrupt) };
};

/**
 * `tripact rerun`: runs recorded tasks again and compares. The report goes to standard output, progress to standard error. Returns
 * the exit code: 1 unless every run has the recorded outcome. Writes nothing to any data folder.
 */
export const rerunFiles = async (files: string[], options: CliOptions): Promise<number> => {
  const { model = null, liveReads = false, json, timezone, concurrency = CONCURRENCY_DEFAULT } = options;
  const { config, file, env } = await loadSettings({ TRIPACT_TIMEZONE: timezone }, { TRIPACT_LOG_LEVEL: 'error' });
  warnOfUnknown(env);
  const maxCost = maxCostOf(options.maxCost, file.prices !== undefined);
  const atOnce = concurrencyOf(concurrency);
  const instructions = await instructionsIn(options.instructions);
  const sources: RerunSource[] = [];
  for (const each of files) sources.push(...(await sourcesIn(each)));
  const texts = messages(languageOf(sources[0]?.recorded.opened.goal ?? '')).rerun;
  const note = noteTo(process.stderr);
  const interrupts = stopOnInterrupt(() => note(texts.stopping));
  let told = performance.now();
  try {
    const report = await rerunTraces({
      sources,
      config,
      file,
      env,
      model,
      instructions,
      liveReads,
      maxCost,
      version: manifest.version,
      log: createLog({ level: config.logLevel, secrets: secretsOf(config, env) }),
      concurrency: atOnce,
      signal: interrupts.signal,
      progress: (done, all) => {
        if (performance.now() - told < PROGRESS_MS) return;
        told = performance.now();
        note(texts.progress(done, all));
      },
    });
    console.log(json === true ? jsonLine(report) : rerunText(report));
    if (interrupts.signal.aborted) return exitCode.interrupted;
    return report.same ? exitCode.answered : exitCode.failed;
  } finally {
    interrupts.settle();
  }
};
