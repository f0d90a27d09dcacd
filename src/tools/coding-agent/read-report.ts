import type { Messages } from '../../../contracts/messages/messages.ts';

const STATUSES = ['SUCCESS', 'FAILED', 'PARTIAL_SUCCESS'] as const;

/** A report, whose text is not trusted: on which command, in which session of the agent, and its outcome or what is wrong with it. */
export interface Report {
  /** Null where it names no command. */
  id: string | null;
  session_id: string | null;
  outcome: { status: (typeof STATUSES)[number]; body: string } | { problem: keyof Messages['codingAgent']['problem'] };
}

/** Front matter of 4,096 characters at most: its few fields take a tenth of that. */
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]{0,4096}?)\r?\n---[ \t]*(?:\r?\n|$)/;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id of the command that a name or field states: `<uuid>`, `task-<uuid>`, `report-task-<uuid>.md`; null for any other. */
const idIn = (text: string): string | null => {
  const bare = text.toLowerCase().replace(/^(report-)?(task-)?|\.md$/g, '');
  return UUID.test(bare) ? bare : null;
};

/** The fields of the front matter, `name: value` a line. */
const fieldsOf = (front: string): Map<string, string> =>
  new Map(
    front.split(/\r?\n/).flatMap((line) => {
      const [, name, value] = /^(\w+):(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined
        ? []
        : [[name, value.trim().replace(/^(["'])(.*)\1$/, '$2')] as const];
    }),
  );

/** Reads a report by its file's name and text; null: there is no text that may be read. Never throws. */
export const readReport = (name: string, text: string | null): Report => {
  const named = idIn(name);
  const unreadable = (problem: keyof Messages['codingAgent']['problem'], id = named): Report => ({
    ...{ id, session_id: null, outcome: { problem } },
  });
  if (text === null) return unreadable('not_a_file');
  if (text.trim() === '') return unreadable('empty');
  const [whole = '', front] = FRONT_MATTER.exec(text) ?? [];
  if (front === undefined) return unreadable('no_front_matter');
  const fields = fieldsOf(front);
  const stated = fields.get('task_id') ?? fields.get('id');
  const id = named ?? idIn(stated ?? '');
  const status = STATUSES.find((known) => known === fields.get('status')?.toUpperCase());
  if (status === undefined) return unreadable('no_status', id);
  if (stated !== undefined && idIn(stated) !== id) return unreadable('other_task');
  const session_id = fields.get('session_id')?.toLowerCase() ?? '';
  const body = text.slice(whole.length).trim();
  return { id, session_id: UUID.test(session_id) ? session_id : null, outcome: { status, body } };
};
