import { z } from 'zod';
import { plainLine } from '../../contracts/text.ts';
import { SessionTraceEntry, TaskTraceEntry, TRACE_VERSION, type TraceEntry } from '../../contracts/trace.ts';
import { MACHINE } from '../../machines/task-machine.ts';
import { ServiceError } from '../lib/errors.ts';
import { type Difference, difference } from './difference.ts';

const WHY_CHARS_MAX = 300;

/** The fields of a line that are read before its version is known. */
const LineHead = z.object({ v: z.number(), seq: z.number().int().min(1), machine: z.string().max(200) });

const notReadable = (line: number, why: string): ServiceError =>
  new ServiceError('TRACE_NOT_READABLE', `Entry ${line} of the trace is not readable: ${why}`);

/** A line of a trace by its schema. Throws `TRACE_NOT_READABLE` if it is another one; `line` is its number. */
export const readAs = <T>(schema: z.ZodType<T>, value: unknown, line: number): T => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => [...path, message].join(': '));
  throw notReadable(line, plainLine(faults.join('; '), WHY_CHARS_MAX));
};

const NAME_AND_VERSION = /^(.+)@(\d+)$/;

/** The first version of the machine whose lines have today's format. */
const READABLE_FROM = 3;

/** True for this machine, and for earlier ones whose lines can be read: they are folded and compared. */
const isKnownMachine = (machine: string): boolean => {
  if (machine === MACHINE) return true;
  const [, name, version] = NAME_AND_VERSION.exec(machine) ?? [];
  const [, ownName, ownVersion] = NAME_AND_VERSION.exec(MACHINE) ?? [];
  return name === ownName && Number(version) >= READABLE_FROM && Number(version) <= Number(ownVersion);
};

/**
 * A line of a trace as its entry; a difference if a newer or another machine made it. Throws `TRACE_NOT_READABLE` if it
 * is not an entry of this version.
 */
export const readLine = (value: unknown, line: number): TraceEntry | Difference => {
  const { v, seq, machine } = readAs(LineHead, value, line);
  if (v !== TRACE_VERSION) throw notReadable(line, `it has version ${v}; this service reads version ${TRACE_VERSION}`);
  if (!isKnownMachine(machine)) return difference(seq, 'machine', MACHINE, machine);
  const isTask = (value as { task_id?: unknown }).task_id !== null;
  return isTask ? readAs(TaskTraceEntry, value, line) : readAs(SessionTraceEntry, value, line);
};
