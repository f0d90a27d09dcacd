import { parse } from 'yaml';
import type { Log } from '../../lib/log.ts';
import { type Bridge, commandName } from './bridge.ts';

const STATUSES = ['SUCCESS', 'FAILED', 'PARTIAL_SUCCESS'] as const;

/** A report, whose text is not trusted. */
export interface Report {
  /** The command that it is on; null where it names none. */
  id: string | null;
  /** The agent's session; null where it names none. */
  session_id: string | null;
  status: (typeof STATUSES)[number] | 'no_status' | 'other_task';
  /** What it says; all of it where its status is none. */
  body: string;
}

/** Front matter of 16,384 characters at most: its few fields, and perhaps a summary. */
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]{0,16384}?)\r?\n---[ \t]*(?:\r?\n|$)/;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id of the command that a name or field states: `<uuid>`, `task-<uuid>`, `report-task-<uuid>.md`; null for any other. */
const idIn = (text: string): string | null => {
  const bare = text.toLowerCase().replace(/^(report-)?(task-)?|\.md$/g, '');
  return UUID.test(bare) ? bare : null;
};

/** The fields of the front matter: as YAML, or `name: value` a line where it is none, as a summary with `: ` in it makes it. */
const fieldsOf = (front: string): Map<string, string> => {
  try {
    const fields: unknown = parse(front, { schema: 'failsafe', logLevel: 'error' });
    return new Map(Object.entries(fields ?? {}).map(([name, value]) => [name, String(value)]));
  } catch {
    return new Map([...front.matchAll(/^(\w+):(.*)$/gm)].map(([, name = '', value = '']) => [name, value.trim()]));
  }
};

/** Reads a report by its file's name and text. Never throws. */
export const readReport = (name: string, text: string): Report => {
  const [whole = '', front = ''] = FRONT_MATTER.exec(text) ?? [];
  const fields = fieldsOf(front);
  const stated = fields.get('task_id') ?? fields.get('id');
  const id = idIn(name) ?? idIn(stated ?? '');
  const isOther = stated !== undefined && idIn(stated) !== id;
  const status = STATUSES.find((known) => known === fields.get('status')?.toUpperCase());
  if (status === undefined || isOther)
    return { id, session_id: null, status: isOther ? 'other_task' : 'no_status', body: text.trim() };
  const session_id = fields.get('session_id')?.toLowerCase() ?? '';
  const body = text.slice(whole.length).trim() || (fields.get('summary') ?? '').trim();
  return { id, session_id: UUID.test(session_id) ? session_id : null, status, body };
};

export const reportName = (id: string): string => `report-${commandName(id)}`;

/** The report on a command that was collected; null where there is none. */
export const reportOn = (bridge: Bridge, id: string): Report | null => {
  const text = bridge.read('reports/processed', reportName(id));
  return text === null ? null : readReport(reportName(id), text);
};

/** True for the text of a command that ends an agent session. */
const isEndCommand = (text: string): boolean => /^---\n(?:.+\n)*?command_type: end\n/.test(text);

/** Files that are still being written, by the conventions of editors and programs. */
const TEMPORARY = /^\.|~$|\.(?:tmp|part|swp)$/i;

/** Waits for the coding agent, in milliseconds. */
export interface BridgeTimeouts {
  /** Between two looks at the folder. */
  pollMs: number;
  /** How long a report must stay unchanged before it is taken: it may still be being written. */
  settleMs: number;
  /** The same for one that is empty or can't be read. */
  graceMs: number;
}

/**
 * Moves finished reports from `reports/pending`, with their commands, to `processed`, as `report-task-<id>.md`. What belongs to no command
 * is logged and goes to `reports/unknown`; reports for other programs on the folder stay.
 */
export const collectReports = (bridge: Bridge, { settleMs, graceMs }: BridgeTimeouts, log: Log): void => {
  for (const name of bridge.names('reports/pending')) {
    const changedAt = bridge.changedAt('reports/pending', name);
    const text = bridge.read('reports/pending', name);
    if (TEMPORARY.test(name) || changedAt === null || text === null) continue;
    const { id, status, body } = readReport(name, text);
    const isWhole = body !== '' && STATUSES.some((known) => known === status);
    if (Date.now() - changedAt < (isWhole ? settleMs : graceMs)) continue;
    const command = id === null ? null : bridge.read('commands/pending', commandName(id));
    const isOpen = bridge.ledgers().some(({ commands }) => commands.some((sent) => sent.id === id));
    // Another program's, which takes the report itself.
    if (command !== null && !isOpen && !isEndCommand(command)) continue;
    if (id !== null && (isOpen || command !== null || bridge.has('commands/processed', commandName(id)))) {
      bridge.move(commandName(id), 'commands/pending', 'commands/processed');
      bridge.move(name, 'reports/pending', 'reports/processed', reportName(id));
      continue;
    }
    log.warn({ report: name }, 'a report belongs to no command to a coding agent; it is moved to reports/unknown');
    bridge.move(name, 'reports/pending', 'reports/unknown');
  }
};
