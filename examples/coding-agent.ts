// A small coding agent for trying out the bridge: `npx node examples/coding-agent.ts <bridge folder>`. It calls no model: what a
// command asks for it writes down in a file of its session's own work folder, and reports that. A command that begins with
// `fail:` or `partial:` is reported as such. A real agent does its work where this one has `work()`, and keeps the rest.
import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';

type Status = 'SUCCESS' | 'FAILED' | 'PARTIAL_SUCCESS';
type Done = { status: Status; session_id: string; text: string };

/** Polling interval for commands where the file system reports no changes, in milliseconds. */
const POLL_MS = 500;
// The headings are Chinese for a Chinese goal.
const COMMAND =
  /^---\n([\s\S]*?)\n---\n\n## (?:Task description|任务描述)\n\n([\s\S]*)\n\n## (?:Constraints|约束条件)\n\n([\s\S]*)\n\n## (?:Expected output|预期输出)\n\n([\s\S]*)$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const [given] = process.argv.slice(2);
if (given === undefined) {
  console.error('usage: npx node examples/coding-agent.ts <bridge folder>');
  process.exit(2);
}
const bridge = resolve(given);
const folder = (name: string): string => {
  const path = join(bridge, name);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
};
const commands = folder('commands/pending');
const reports = folder('reports/pending');
const reported = folder('reports/processed');
const workFolder = (session: string): string => join(folder('work'), session);

const work = (session_id: string, description: string, expected: string): Done => {
  const [, word, rest = description] = /^(fail|partial):\s*([\s\S]*)$/i.exec(description) ?? [];
  if (word?.toLowerCase() === 'fail') return { status: 'FAILED', session_id, text: `I was told to fail: ${rest}` };
  const file = join(workFolder(session_id), 'notes.md');
  appendFileSync(file, `## ${rest}\n\nExpected: ${expected.trim()}\n\n`, { mode: 0o600 });
  const count = readFileSync(file, 'utf8').match(/^## /gm)?.length ?? 0;
  const text = `Wrote down: ${rest}\nnotes.md of this session has ${count} ${count === 1 ? 'entry' : 'entries'}.`;
  return { status: word === undefined ? 'SUCCESS' : 'PARTIAL_SUCCESS', session_id, text };
};

const obey = (text: string): Done => {
  const [, front = '', description = '', , expected = ''] = COMMAND.exec(text) ?? [];
  const { session_id, command_type } = parse(front) ?? {};
  const isKnown = UUID.test(session_id) && existsSync(workFolder(session_id));
  switch (command_type) {
    case 'new': {
      const session = randomUUID();
      mkdirSync(workFolder(session), { mode: 0o700 });
      return work(session, description, expected);
    }
    case 'continue':
      if (!isKnown) return { status: 'FAILED', session_id, text: 'I know no such session.' };
      return work(session_id, description, expected);
    case 'end':
      return { status: 'SUCCESS', session_id, text: 'The session is over.' };
    default:
      return { status: 'FAILED', session_id, text: 'I do not understand this command.' };
  }
};

/** Answers every command that has no report yet; never moves one, for that is Tripact's. */
const lookForCommands = (): void => {
  for (const name of readdirSync(commands)) {
    const id = /^(task-.+)\.md$/.exec(name)?.[1];
    const report = `report-${name}`;
    if (id === undefined || existsSync(join(reports, report)) || existsSync(join(reported, report))) continue;
    let text: string;
    try {
      text = readFileSync(join(commands, name), 'utf8');
    } catch {
      continue; // It was withdrawn since.
    }
    const { status, session_id, text: said } = obey(text);
    const half = join(reports, `.${randomUUID()}.tmp`);
    writeFileSync(half, `---\n${stringify({ id, status, session_id })}---\n\n${said}\n`, { mode: 0o600 });
    // By rename, so that nobody reads half a report.
    renameSync(half, join(reports, report));
    console.log(`${name}: ${status}`);
  }
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0));
watch(commands, lookForCommands);
setInterval(lookForCommands, POLL_MS);
console.log(`watching ${commands}`);
lookForCommands();
