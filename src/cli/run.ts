import { basename } from 'node:path';
import type { JsonSchema } from '../../contracts/answer.ts';
import { type OwnPlan, SessionView, ToolView, type TurnRequest } from '../../contracts/http.ts';
import { SessionId } from '../../contracts/ids.ts';
import { type Messages, messages } from '../../contracts/messages/messages.ts';
import { languageOf } from '../../contracts/text.ts';
import { TaskView, type TurnView } from '../../contracts/turn-view.ts';
import type { ScriptModel } from '../app/script-model.ts';
import { nearestName } from '../config/nearest-name.ts';
import { jsonLine, printable, printableLines } from '../lib/printable.ts';
import { type Client, pathOf } from './client.ts';
import { sessionCommand, turnOptions, withService } from './connection.ts';
import { CommandFailure, checkRequest, exitCode, exitCodeOf, wrongUsage } from './failure.ts';
import { jsonIn } from './json-file.ts';
import { scriptModelOf } from './script.ts';
import type { CliOptions } from './settings.ts';
import {
  approvalAnswer,
  ask,
  newSessionId,
  noteTo,
  processTerminal,
  type Said,
  type Terminal,
  terminalTexts,
} from './terminal.ts';

const turnText = (turn: TurnView, json: true | undefined): string => {
  if (json) return `${jsonLine(turn)}\n`;
  return `${turn.answer === undefined ? printable(turn.output ?? '') : jsonLine(turn.answer)}\n`;
};

/** The plan in a file: a list of items, or an object with the list as its `plan`. The request's check reads the items. */
const planIn = (json: unknown): OwnPlan =>
  (typeof json === 'object' && json !== null && 'plan' in json ? json.plan : json) as OwnPlan;

/** The fields of a task's first turn that are in files. */
const filesOf = async ({ answerSchema, plan }: CliOptions): Promise<Pick<TurnRequest, 'answer_schema' | 'plan'>> => ({
  ...(answerSchema !== undefined && { answer_schema: (await jsonIn('--answer-schema', answerSchema)) as JsonSchema }),
  ...(plan !== undefined && { plan: planIn(await jsonIn('--plan', plan)) }),
});

/** Throws `CommandFailure` with the script's fault, which has paused the task. */
const checkScript = (script: ScriptModel, { session_id }: TurnView, options: CliOptions): void => {
  const fault = script.fault();
  if (fault === null) return;
  const again = `${sessionCommand('run', session_id, options)} continue`;
  throw new CommandFailure(`${fault}\nThe task is paused. Correct ${options.script}, then go on with: ${again}`);
};

/** Says how many answers of a script a task has not had, and why. */
const noteLeft = async (
  script: ScriptModel,
  { status, task_id }: TurnView,
  { script: path = '' }: CliOptions,
  texts: Messages['terminal'],
): Promise<string | null> => {
  const left = task_id === null ? 0 : await script.remaining(task_id);
  if (left === 0) return null;
  const isOpen = status === 'asking' || status === 'paused';
  return texts[isOpen ? 'scriptLeft' : 'scriptUnused'](left, basename(path));
};

/** Prints, in a turn's language, its task and session, what to type next, and the cost. Returns the exit code. */
const close = (turn: TurnView, options: CliOptions, note: (text: string) => void): number => {
  const { status, session_id, task_id, task, output } = turn;
  const texts = messages(languageOf(task?.goal ?? output ?? '')).terminal;
  const run = sessionCommand('run', session_id, options);
  // A conversation has the usual model.
  const chat = options.script === undefined ? sessionCommand('chat', session_id, options) : null;
  note(task_id === null ? texts.session(session_id) : texts.taskOf(task_id, session_id));
  if (status === 'asking') note(texts.answerWith(run, chat));
  if (status === 'paused') note(texts.goOnWith(run, chat));
  if (task?.cost !== undefined) note(texts.cost(task.cost.amount, task.cost.currency));
  return exitCodeOf(turn);
};

/**
 * First Ctrl-C: cancels the task as soon as it is known, and withdraws its question. Second: ends the process at once.
 */
const cancelOnInterrupt = (client: Client, texts: Messages['terminal'], note: (text: string) => void) => {
  const withdrawn = new AbortController();
  const known = Promise.withResolvers<string>();
  let cancelled: Promise<unknown> | undefined;
  const interrupt = (): void => {
    if (withdrawn.signal.aborted) process.exit(exitCode.interrupted);
    note(texts.cancelling);
    withdrawn.abort();
    void known.promise.then((taskId) => {
      cancelled = client.post(pathOf('tasks', taskId, 'cancel'), TaskView).catch((error: Error) => note(error.message));
    });
  };
  process.on('SIGINT', interrupt);
  return {
    withdrawn: withdrawn.signal,
    task: known.resolve,
    settle: async () => {
      process.off('SIGINT', interrupt);
      await cancelled;
    },
  };
};

/**
 * Asks for the answer to a turn's question. An approval may be answered with another input for its tool. Null: the
 * person left.
 */
const askFor = async (turn: TurnView, terminal: Terminal, signal: AbortSignal): Promise<Said | null> => {
  const line = await ask(terminal, signal);
  if (line === null) return null;
  if (turn.approval === null) return { input: line };
  const answer = approvalAnswer(line, turn);
  if ('said' in answer) return answer.said;
  const input = await ask(terminal, signal, answer);
  return input === null ? null : { decision: { type: 'edit', input } };
};

/**
 * `tripact run`: one task in the terminal, progress on standard error, the answer on standard output. Returns the exit
 * code.
 */
export const run = async (
  goal: string,
  options: CliOptions,
  terminal: Terminal = processTerminal(),
): Promise<number> => {
  const { session: sessionId = newSessionId('run'), json } = options;
  const { output, notes } = terminal;
  const note = noteTo(notes);
  const asked = { input: goal, ...(await filesOf(options)) };
  const script = options.script === undefined ? null : await scriptModelOf(options.script);
  checkRequest(sessionId, { ...turnOptions(options), ...asked });
  return withService(options, 'run', script ?? 'work', async (service) => {
    const texts = messages(languageOf(goal)).terminal;
    if (service.isFound) note(texts.onService(service.base()));
    const interrupts = cancelOnInterrupt(service.client, texts, note);
    const about = turnOptions(options, service.timezone);
    try {
      for (let said: Said = asked; ; ) {
        const request: TurnRequest = { ...about, ...said };
        const turn = await service.client.turn(sessionId, request, { progress: note, task: interrupts.task });
        if (script !== null) checkScript(script, turn, options);
        const asks = turn.status === 'asking' && terminal.isInteractive && json !== true;
        (asks ? notes : output).write(turnText(turn, json));
        if (asks && turn.approval !== null) note(terminalTexts(turn).approvalKeys);
        const answer = asks ? await askFor(turn, terminal, interrupts.withdrawn) : null;
        if (answer !== null) {
          said = answer;
          continue;
        }
        const left = script === null ? null : await noteLeft(script, turn, options, texts);
        if (left !== null) note(left);
        return asks && interrupts.withdrawn.aborted ? exitCode.failed : close(turn, options, note);
      }
    } finally {
      await interrupts.settle();
    }
  });
};

/** `tripact fork`: continues from any entry of a task in a new session, and prints its reply. Returns the exit code. */
export const fork = async (taskId: string, { at, input, session, json, ...where }: CliOptions): Promise<number> => {
  const { output, notes } = processTerminal();
  const note = noteTo(notes);
  if (at !== undefined && !/^\d{1,15}$/.test(at))
    throw wrongUsage(`--at ${at} is not an entry number; "tripact trace" shows them`);
  checkRequest(session, input === undefined ? null : { input });
  return withService(where, 'fork', 'work', async ({ client }) => {
    if ((await client.get(pathOf('tasks', taskId), TaskView)) === null)
      throw new CommandFailure(`There is no task "${taskId}": "tripact tasks --session <id>" lists those of a session`);
    const forked = await client.fork(taskId, {
      ...(at !== undefined && { at: Number(at) }),
      ...(input !== undefined && { input }),
      ...(session !== undefined && { session_id: session }),
    });
    note(`Forked into session ${forked.session_id}, task ${forked.task_id}`);
    const turn = await client.followTurn(forked.id, { progress: note });
    output.write(turnText(turn, json));
    return close(turn, where, note);
  });
};

/** Cancels the task with that id, else the current task of the session with that name; null: neither exists. */
const cancelIn = async (client: Client, id: string): Promise<{ isCancelled: boolean; text: string } | null> => {
  if ((await client.get(pathOf('tasks', id), TaskView)) !== null) {
    const { goal } = await client.post(pathOf('tasks', id, 'cancel'), TaskView);
    return { isCancelled: true, text: messages(languageOf(goal)).replies.cancelled(goal) };
  }
  // A turn would create the session if it did not exist.
  if (!SessionId.safeParse(id).success || (await client.get(pathOf('sessions', id), SessionView)) === null) return null;
  const { status, output } = await client.turn(id, { input: '/cancel' }, { progress: () => {} });
  return { isCancelled: status === 'cancelled', text: output ?? '' };
};

/**
 * `tripact cancel`: ends a task, or the running, waiting or paused task of a session. Returns the exit code: 1 if there
 * was nothing to cancel.
 */
export const cancel = (id: string, options: CliOptions): Promise<number> =>
  withService(options, 'cancel', 'tools', async ({ client }) => {
    const cancelled = await cancelIn(client, id);
    if (cancelled === null) throw new CommandFailure(`There is no task and no session "${id}"`);
    console.log(printable(cancelled.text));
    return cancelled.isCancelled ? exitCode.answered : exitCode.failed;
  });

/** The session whose folder `tripact tool` uses by default. */
const SESSION_DEFAULT = 'try';

/** `tripact tool`: one call of a tool, its result on standard output. Returns the exit code: 1 if the tool failed. */
export const runTool = (name: string, words: string[], options: CliOptions): Promise<number> =>
  withService(options, 'tool', 'tools', async ({ client, timezone }) => {
    const tools = await Array.fromAsync(client.all('tools', ToolView));
    const names = tools.map((tool) => tool.name);
    if (!names.includes(name)) {
      const near = nearestName(name, names);
      const meant = near === undefined ? '' : `; did you mean "${near}"?`;
      throw wrongUsage(`There is no tool "${name}"${meant}\n"tripact tools" lists all`);
    }
    const request = { input: `/tool ${name} ${words.join(' ')}`, timezone: options.timezone ?? timezone };
    const turn = await client.turn(options.session ?? SESSION_DEFAULT, request, { progress: () => {} });
    console.log(printableLines(turn.output ?? ''));
    return exitCodeOf(turn);
  });
