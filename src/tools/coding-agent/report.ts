import { z } from 'zod';
import type { Messages } from '../../../contracts/messages/messages.ts';

const ReportStatus = z.enum(['SUCCESS', 'FAILED', 'PARTIAL_SUCCESS']);

/** A report that was read; `session_id` is the agent's session, null when it names none. Its text is not trusted. */
export interface Report {
  status: z.infer<typeof ReportStatus>;
  session_id: string | null;
  body: string;
}

/** A report that can be taken, or what is wrong with it, by the name of its message. */
export type ReadReport =
  | { ok: true; report: Report }
  | { ok: false; problem: keyof Messages['codingAgent']['problem']; detail?: string };

/** Longest front matter that is parsed, in characters: its five fields take a tenth of it. */
const FRONT_CHARS_MAX = 4_096;

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

const parseFront = async (front: string): Promise<unknown> => {
  // Loaded with the first report: most services never have one.
  const { parse } = await import('yaml');
  try {
    // All scalars stay text: an id of digits is no number.
    return parse(front, { schema: 'failsafe', maxAliasCount: 0, logLevel: 'error' });
  } catch {
    return null;
  }
};

/** The id of the command that a report's name states; null for any other name. */
export const idInName = (name: string): string | null =>
  /^report-(?:task-)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.md$/.exec(name)?.[1] ?? null;

/** The id of the command that a report's front matter names, in `id` or `task_id`; null where it names none. Never throws. */
export const idInText = async (text: string): Promise<string | null> => {
  const front = FRONT_MATTER.exec(text)?.[1];
  if (front === undefined || front.length > FRONT_CHARS_MAX) return null;
  const read = Names.safeParse(await parseFront(front));
  return read.success ? (read.data.task_id ?? read.data.id ?? null) : null;
};

/** Reads the report on command `id`; `text` is null for what is no regular file. Never throws, and never takes what names another task. */
export const readReport = async (text: string | null, id: string): Promise<ReadReport> => {
  if (text === null) return { ok: false, problem: 'not_a_file' };
  if (text.trim() === '') return { ok: false, problem: 'empty' };
  const found = FRONT_MATTER.exec(text);
  if (found === null) return { ok: false, problem: 'no_front_matter' };
  const [whole, front = ''] = found;
  if (front.length > FRONT_CHARS_MAX) return { ok: false, problem: 'front_matter_too_large' };
  const given = await parseFront(front);
  if (typeof given !== 'object' || given === null) return { ok: false, problem: 'invalid_yaml' };
  const read = Front.safeParse(given);
  if (!read.success) return { ok: false, problem: 'no_status' };
  const { status, session_id = null, ...named } = read.data;
  const other = named.task_id ?? named.id;
  if (other !== undefined && other !== id)
    return { ok: false, problem: 'other_task', detail: JSON.stringify(other.slice(0, 80)) };
  return { ok: true, report: { status, session_id, body: text.slice(whole.length).trim() } };
};
