import { z } from 'zod';
import type { Messages } from '../../../contracts/messages/messages.ts';
import { yaml } from './yaml.ts';

/** How a coding agent says that a command ended (SPEC 10). */
export const ReportStatus = z.enum(['SUCCESS', 'FAILED', 'PARTIAL_SUCCESS']);
export type ReportStatus = z.infer<typeof ReportStatus>;

/** A report that was read; `session_id` is the agent's session, null when it names none. Its text is not trusted. */
export interface Report {
  status: ReportStatus;
  session_id: string | null;
  body: string;
}

/** What is wrong with a report, by the name of its message; `detail` is the task that it names. */
export interface ReportProblem {
  name: keyof Messages['codingAgent']['problem'];
  detail: string;
}

/** A report that can be taken, or what is wrong with it. */
export type ReadReport = { ok: true; report: Report } | { ok: false; problem: ReportProblem };

/** Longest front matter that is parsed, in characters: the five fields that are known take a tenth of it. */
const FRONT_CHARS_MAX = 4_096;

/** Most lines of front matter, and most characters of it that begin an entry or nest: the parser's time grows with the square of entries. */
const FRONT_LINES_MAX = 64;
const FRONT_MARKS_MAX = 128;

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

const bareId = (id: string): string =>
  id
    .trim()
    .toLowerCase()
    .replace(/^(report-)?(task-)?/, '')
    .replace(/\.md$/, '');

const Names = z.object({
  id: z.string().transform(bareId).optional(),
  task_id: z.string().transform(bareId).optional(),
});

const Front = Names.extend({
  status: z.string().trim().toUpperCase().pipe(ReportStatus),
  session_id: z.guid().optional().catch(undefined),
});

const invalid = (name: ReportProblem['name'], detail = ''): ReadReport => ({ ok: false, problem: { name, detail } });

const isTooLarge = (front: string): boolean =>
  front.length > FRONT_CHARS_MAX ||
  front.split('\n').length > FRONT_LINES_MAX ||
  front.split(/[[{,&?"']|- /).length > FRONT_MARKS_MAX;

const parseFront = (front: string): unknown => {
  try {
    // All scalars stay text: an id of digits is no number.
    return yaml().parse(front, { schema: 'failsafe', maxAliasCount: 0, logLevel: 'error' });
  } catch {
    return null;
  }
};

/** Longest beginning of a report that its front matter is read from, in bytes: four for each character of it. */
export const FRONT_BYTES_MAX = 4 * FRONT_CHARS_MAX;

/** The id of the command that a report's front matter names, in `id` or `task_id`; null where it names none. Never throws. */
export const namedCommand = (text: string): string | null => {
  const front = FRONT_MATTER.exec(text)?.[1];
  if (front === undefined || isTooLarge(front)) return null;
  const read = Names.safeParse(parseFront(front));
  return read.success ? (read.data.task_id ?? read.data.id ?? null) : null;
};

/** Reads the report on command `id`. Never throws, and never takes what names another task. */
export const readReport = (text: string, id: string): ReadReport => {
  if (text.trim() === '') return invalid('empty');
  const found = FRONT_MATTER.exec(text);
  if (found === null) return invalid('no_front_matter');
  const front = found[1] ?? '';
  if (isTooLarge(front)) return invalid('front_matter_too_large');
  const given = parseFront(front);
  if (typeof given !== 'object' || given === null) return invalid('invalid_yaml');
  const read = Front.safeParse(given);
  if (!read.success) return invalid('no_status');
  const { status, session_id, ...named } = read.data;
  const other = named.task_id ?? named.id;
  if (other !== undefined && other !== id) return invalid('other_task', JSON.stringify(other.slice(0, 80)));
  return { ok: true, report: { status, session_id: session_id ?? null, body: text.slice(found[0].length).trim() } };
};
