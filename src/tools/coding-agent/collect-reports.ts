import { parse } from 'yaml';
import { OBSERVATION_CHARS_MAX } from '../../../contracts/limits.ts';
import { cutText } from '../../../contracts/text.ts';
import type { Log } from '../../lib/log.ts';
import type { Bridge, Ledger } from './bridge.ts';
import { codingAgentMessages } from './messages.ts';
import { commandName, isEndCommand } from './send-command.ts';

const STATUSES = ['SUCCESS', 'FAILED', 'PARTIAL_SUCCESS'] as const;

/** A report, whose text is not trusted: on which command, in which session of the agent, and its outcome, or what is wrong with it. */
interface Report {
  /** Null where it names no command. */
  id: string | null;
  session_id: string | null;
  outcome: { status: (typeof STATUSES)[number]; body: string } | { problem: 'no_status' | 'other_task' };
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
    return new Map(
      [...front.matchAll(/^(\w+):[ \t]*(.*?)[ \t\r]*$/gm)].map(([, name = '', value = '']) => [name, value]),
    );
  }
};

/** Reads a report by its file's name and text. Never throws. */
export const readReport = (name: string, text: string): Report => {
  const [whole = '', front = ''] = FRONT_MATTER.exec(text) ?? [];
  const fields = fieldsOf(front);
  const stated = fields.get('task_id') ?? fields.get('id');
  const id = idIn(name) ?? idIn(stated ?? '');
  const status = STATUSES.find((known) => known === fields.get('status')?.toUpperCase());
  if (status === undefined) return { id, session_id: null, outcome: { problem: 'no_status' } };
  if (stated !== undefined && idIn(stated) !== id) return { id, session_id: null, outcome: { problem: 'other_task' } };
  const session_id = fields.get('session_id')?.toLowerCase() ?? '';
  const body = text.slice(whole.length).trim() || (fields.get('summary') ?? '').trim();
  return { id, session_id: UUID.test(session_id) ? session_id : null, outcome: { status, body } };
};

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
 * Moves finished reports from `reports/pending`, with their commands, to `processed`, as `report-task-<id>.md`, and records what they
 * say in the ledgers. What belongs to no command is logged and goes to `reports/unknown`; reports for other programs on the folder stay.
 */
export const collectReports = (bridge: Bridge, { settleMs, graceMs }: BridgeTimeouts, log: Log): void => {
  const putAside = (name: string, id: string): void => {
    bridge.move(commandName(id), 'commands/pending', 'commands/processed');
    bridge.move(name, 'reports/pending', 'reports/processed', `report-${commandName(id)}`);
  };

  /** Takes the report on a command of an open task. The ledger has it before it is moved, so a crash loses nothing. */
  const take = (ledger: Ledger, name: string, text: string, { id, session_id, outcome }: Report): void => {
    const { task_id, language, commands } = ledger;
    const command = commands.find((sent) => sent.id === id);
    if (command === undefined) return;
    const { problem, unreadableReport } = codingAgentMessages(language);
    const result =
      'problem' in outcome
        ? unreadableReport(problem[outcome.problem], `reports/processed/report-${commandName(command.id)}`, text.trim())
        : `${outcome.status}\n\n${outcome.body}`.trim();
    const ok = 'status' in outcome && outcome.status === 'SUCCESS';
    const report = { ok, result: cutText(result, OBSERVATION_CHARS_MAX) };
    if (command.report === null) bridge.record(task_id, language, { ...command, session_id, report });
    putAside(name, command.id);
  };

  /** Moves a report on no open task: to `processed` where this service sent its command; another program takes its own itself. */
  const takeOther = (name: string, id: string | null): void => {
    const pending = id === null ? null : bridge.read('commands/pending', commandName(id));
    if (pending !== null && !isEndCommand(pending)) return;
    if (id !== null && (pending ?? bridge.changedAt('commands/processed', commandName(id))) !== null)
      return putAside(name, id);
    log.warn({ report: name }, 'a report belongs to no command to a coding agent; it is moved to reports/unknown');
    bridge.move(name, 'reports/pending', 'reports/unknown');
  };

  for (const name of bridge.names('reports/pending')) {
    const changedAt = bridge.changedAt('reports/pending', name);
    const text = bridge.read('reports/pending', name);
    if (TEMPORARY.test(name) || changedAt === null || text === null) continue;
    const report = readReport(name, text);
    const isWhole = 'body' in report.outcome && report.outcome.body !== '';
    if (Date.now() - changedAt < (isWhole ? settleMs : graceMs)) continue;
    const ledger = bridge.ledgers().find(({ commands }) => commands.some(({ id }) => id === report.id));
    if (ledger === undefined) takeOther(name, report.id);
    else take(ledger, name, text, report);
  }
};
