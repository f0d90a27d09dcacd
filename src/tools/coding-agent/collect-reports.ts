import { parse } from 'yaml';
import { OBSERVATION_CHARS_MAX } from '../../../contracts/limits.ts';
import { cutText } from '../../../contracts/text.ts';
import type { BridgeParts } from './bridge.ts';
import { codingAgentMessages } from './messages.ts';
import { commandName, isEndCommand } from './send-command.ts';

const STATUSES = ['SUCCESS', 'FAILED', 'PARTIAL_SUCCESS'] as const;

/** A report, whose text is not trusted: on which command, in which session of the agent, and its outcome or what is wrong with it. */
interface Report {
  /** Null where it names no command. */
  id: string | null;
  session_id: string | null;
  outcome:
    | { status: (typeof STATUSES)[number]; body: string }
    | { problem: keyof ReturnType<typeof codingAgentMessages>['problem'] };
}

/** Front matter of 16,384 characters at most: its few fields, and perhaps a summary. */
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]{0,16384}?)\r?\n---[ \t]*(?:\r?\n|$)/;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id of the command that a name or field states: `<uuid>`, `task-<uuid>`, `report-task-<uuid>.md`; null for any other. */
const idIn = (text: string): string | null => {
  const bare = text.toLowerCase().replace(/^(report-)?(task-)?|\.md$/g, '');
  return UUID.test(bare) ? bare : null;
};

const lineFields = (front: string): [name: string, value: string][] =>
  [...front.matchAll(/^(\w+):(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value.trim().replace(/^(["'])(.*)\1$/, '$2'),
  ]);

/** The fields of the front matter: as YAML, or `name: value` a line where it is none, as a summary with `: ` in it makes it. */
const fieldsOf = (front: string): Map<string, string> => {
  try {
    const fields: unknown = parse(front, { schema: 'failsafe', logLevel: 'error' });
    return new Map(Object.entries(fields ?? {}).map(([name, value]) => [name, String(value)]));
  } catch {
    return new Map(lineFields(front));
  }
};

/** Reads a report by its file's name and text; null: there is no text that may be read. Never throws. */
export const readReport = (name: string, text: string | null): Report => {
  const named = idIn(name);
  const unreadable = (problem: keyof ReturnType<typeof codingAgentMessages>['problem'], id = named): Report => ({
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
  const body = text.slice(whole.length).trim() || (fields.get('summary') ?? '').trim();
  return { id, session_id: UUID.test(session_id) ? session_id : null, outcome: { status, body } };
};

/** Files that are still being written, by the conventions of editors and programs. */
const TEMPORARY = /^\.|~$|\.(?:tmp|part|swp)$/i;

/**
 * Creates the function that moves finished reports from `reports/pending`, with their commands, to `processed`, and records what they
 * say in the ledgers. What belongs to no command is logged and goes to `reports/unknown`; reports for other services and programs on
 * the folder stay.
 */
export const createCollector = ({ bridge, inTurn, service, log, timeouts }: BridgeParts): (() => Promise<void>) => {
  const putAside = async (name: string, id: string): Promise<void> => {
    await bridge.move(commandName(id), 'commands/pending', 'commands/processed');
    await bridge.move(name, 'reports/pending', 'reports/processed');
  };

  /** Takes the report on a command of an open task. The ledger has it before it is moved, so a crash loses nothing. */
  const take = (taskId: string, name: string, text: string, { id, session_id, outcome }: Report): Promise<void> =>
    inTurn(taskId, async () => {
      const ledger = await bridge.ledgerOf(taskId);
      const command = ledger?.commands.find((sent) => sent.id === id);
      if (ledger === null || command === undefined) return;
      const { emptyReport, problem, unreadableReport } = codingAgentMessages(ledger.language);
      const result =
        'problem' in outcome
          ? unreadableReport(problem[outcome.problem], `reports/processed/${name}`, text.trim())
          : `${outcome.status}\n\n${outcome.body || emptyReport}`;
      const ok = 'status' in outcome && outcome.status === 'SUCCESS';
      const report = { ok, result: cutText(result, OBSERVATION_CHARS_MAX) };
      if (command.report === null) bridge.record(ledger, { ...command, session_id, report });
      await putAside(name, command.id);
    });

  const takeOther = async (name: string, id: string | null): Promise<void> => {
    const pending = id === null ? null : await bridge.read('commands/pending', commandName(id));
    // Another program's, which takes the report itself.
    if (pending !== null && !isEndCommand(pending)) return;
    const isOwn = id !== null && (await bridge.changedAt('commands/processed', commandName(id))) !== null;
    if (id !== null && (isOwn || pending !== null)) return putAside(name, id);
    log.warn({ report: name }, 'a report belongs to no command to a coding agent; it is moved to reports/unknown');
    await bridge.move(name, 'reports/pending', 'reports/unknown');
  };

  const collect = async (): Promise<void> => {
    const names = (await bridge.names('reports/pending')).filter((name) => !TEMPORARY.test(name));
    const open = names.length === 0 ? [] : await bridge.ledgers();
    for (const name of names) {
      const changedAt = await bridge.changedAt('reports/pending', name);
      const text = await bridge.read('reports/pending', name);
      const report = readReport(name, text);
      const isWhole = 'body' in report.outcome && report.outcome.body !== '';
      const quietMs = isWhole ? timeouts.settleMs : timeouts.graceMs;
      if (changedAt === null || Date.now() - changedAt < quietMs) continue;
      const ledger = open.find(({ commands }) => commands.some(({ id }) => id === report.id));
      if (ledger === undefined) await takeOther(name, report.id);
      else if (ledger.service === service) await take(ledger.task_id, name, text ?? '', report);
    }
  };

  // Calls that wait at the same time share one look.
  let running: Promise<void> | null = null;
  return () => {
    running ??= collect().finally(() => {
      running = null;
    });
    return running;
  };
};
