import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isSettled } from '../../../contracts/task.ts';
import { formatEntry } from '../../../src/history/format.ts';
import { createTraceFold } from '../../../src/history/trace.ts';
import { progressLines } from '../../../src/projections/progress.ts';
import { replyOf } from '../../../src/projections/reply.ts';
import type { Moment } from './moments.ts';

const FOLDER = fileURLToPath(new URL('../../traces/', import.meta.url));

/** The names of all golden traces: histories that are kept forever. */
export const goldenNames: readonly string[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.jsonl'))
  .map((file) => file.replace('.jsonl', ''));

/** The path of a golden trace: `.jsonl` is replayed, `.trace` is the same as prose, for reviewers. */
export const goldenFile = (name: string, form: 'jsonl' | 'trace'): string => `${FOLDER}${name}.${form}`;

/** The entries of a golden trace, fresh at each call, so that a test may tamper with them. */
export const goldenLines = (name: string): Record<string, unknown>[] =>
  readFileSync(goldenFile(name, 'jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** The task entries of a golden trace, each with its task before and after it. */
export const goldenMoments = (name: string): Moment[] => {
  const trace = createTraceFold((text) => hash('sha256', text));
  return goldenLines(name).flatMap((line) => {
    const folded = trace.fold(line);
    if (!folded.ok) throw new Error(folded.message);
    const { entry, before, step } = folded;
    return entry.task_id === null || step === null ? [] : [{ before, entry, after: step.task }];
  });
};

/** A golden trace for people: each entry, below it what users see of it, and the reply where its task settles. */
export const goldenProse = (name: string): string => {
  const trace = createTraceFold((text) => hash('sha256', text));
  const prose = goldenLines(name).flatMap((line) => {
    const folded = trace.fold(line);
    if (!folded.ok) throw new Error(folded.message);
    const { entry, before, step } = folded;
    if (entry.task_id === null || step === null) return formatEntry(entry);
    const { task } = step;
    const told = progressLines(before, entry, task).map(({ text }) => `  ${text}`);
    if (!isSettled(task.state) || entry.event.type === 'result.superseded') return [formatEntry(entry), ...told];
    const { status, output } = replyOf(task);
    return [formatEntry(entry), ...told, `  = ${status}`, ...output.split('\n').map((text) => `  | ${text}`.trimEnd())];
  });
  return prose.map((line) => `${line}\n`).join('');
};
