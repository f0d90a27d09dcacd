import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { openAdmin } from '../app/open-admin.ts';
import { type TraceChains, verify } from '../audit/verify.ts';
import { parseNdjson } from '../history/parse-ndjson.ts';
import { replay } from '../history/replay.ts';
import { traceEntries } from '../history/trace-entries.ts';
import { ServiceError } from '../lib/errors.ts';
import { printable } from '../lib/printable.ts';
import { CommandFailure, exitCode, wrongUsage } from './failure.ts';
import { type CliOptions, loadSettings, warnOfUnknown } from './settings.ts';

const dayIn = (option: string, text: string | undefined): string | undefined => {
  if (text === undefined || z.iso.date().safeParse(text).success) return text;
  throw wrongUsage(`${option} ${text} is not a day: write 2026-11-29`);
};

/** `tripact audit`: prints the acts of the days, a line of JSON each. */
export const printAudit = async ({ from, to, owner, dataDir }: CliOptions): Promise<void> => {
  const query = { from: dayIn('--from', from), to: dayIn('--to', to), owner };
  const { config, env } = await loadSettings({ TRIPACT_DATA_DIR: dataDir });
  warnOfUnknown(env);
  const admin = await openAdmin(config);
  for await (const line of admin.audit(query))
    if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain');
};

const linesOf = (file: string): AsyncGenerator<unknown> => parseNdjson(createReadStream(file));

/** The parts of a trace's line that an audit names. */
const Named = z.object({ task_id: z.string().nullable(), seq: z.int(), chain: z.string().optional() });

/** Replays traces, and reads the chains of their entries. Throws a `CommandFailure` for one that does not replay. */
const readTraces = async (files: readonly string[]): Promise<TraceChains> => {
  const traces = new Map<string, Map<number, string | undefined>>();
  for (const file of files) {
    const result = await replay(linesOf(file));
    if (!result.ok) throw new CommandFailure(`${file}: ${result.message}`);
    for await (const line of traceEntries(linesOf(file))) {
      const { task_id, seq, chain } = Named.parse(line);
      if (task_id === null) continue;
      const chains = traces.get(task_id) ?? new Map<number, string | undefined>();
      traces.set(task_id, chains.set(seq, chain));
    }
  }
  return traces;
};

/** Reads files; a file that is missing, or no lines of JSON, is a failure in one sentence. */
const reading = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    const { code, path } = error as { code?: unknown; path?: unknown };
    if (code === 'ENOENT') throw new CommandFailure(`There is no file ${String(path)}`);
    if (error instanceof ServiceError) throw new CommandFailure(error.message, exitCode.failed, { cause: error });
    throw error;
  }
};

/** `tripact audit verify`: checks an audit's lines, and traces against them. */
export const verifyAudit = async (file: string, { root, traces: files = [] }: CliOptions): Promise<number> => {
  const roots = root === undefined ? [] : [root];
  const verified = await reading(async () => {
    const traces = files.length === 0 ? undefined : await readTraces(files);
    return verify(linesOf(file), { roots, ...(traces !== undefined && { traces }) });
  });
  if (!verified.ok) {
    console.error(printable(`line ${verified.line}: ${verified.message}`));
    return exitCode.failed;
  }
  const { days, acts, compared } = verified;
  const inTraces = files.length === 0 ? '' : `, ${compared} of them in the traces`;
  console.log(`ok ${days} days, ${acts} acts${inTraces}`);
  return exitCode.answered;
};
