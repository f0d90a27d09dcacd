import { setTimeout as wait } from 'node:timers/promises';
import {
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  type Message,
  SendMessageRequest,
  type Task,
  TaskState,
} from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { z } from 'zod';
import type { ToolResult } from '../../../contracts/task.ts';
import { TOOL_QUESTION_CHARS_MAX, TOOL_QUESTIONS_MAX, type ToolRequest } from '../../../contracts/tool-question.ts';
import { readLink } from '../mcp/elicited.ts';
import { type OutsideResult, type TaskToolCall, ToolAsks, type ToolFile } from '../port.ts';
import { a2aMessages } from './messages.ts';
import { isRefusal, isUnsent, type RemoteAgent, reasonOf } from './remote-agent.ts';
import { filesIn, filesOf, isTask, resultOf, stateName, stateOf, stopOf, textOf } from './remote-task.ts';

/** Pauses between looks at a task that goes on, in milliseconds. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

/** Longest wait for a cancel, in milliseconds: nothing depends on it. */
const CANCEL_MS = 5_000;

/** The field of a question's form. */
const ANSWER = 'answer';

/** An address in an agent's words, without the punctuation behind it. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}，。；：！？）】]/i;

/** The state that a question keeps for the call that goes on with the answer. */
const State = z.object({ task: z.string(), context: z.string(), stop: z.string().optional() });

/** The parts of one agent's calls. */
export interface CalledAgent {
  name: string;
  isIdempotent: boolean;
  remote: RemoteAgent;
  /** Masks the agent's secrets in a text. */
  hide(text: string): string;
  /** The tasks that go on or ask, by the task that called. */
  open: Map<string, Map<string, Client>>;
}

const failed = (result: string): ToolResult => ({ ok: false, result });

const withFiles = (result: ToolResult, files: ToolFile[]): OutsideResult =>
  files.length === 0 ? result : { ...result, files };

const over = [
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
];

/** The agent does nothing until its user has done something. */
const waits = [TaskState.TASK_STATE_INPUT_REQUIRED, TaskState.TASK_STATE_AUTH_REQUIRED];

/** Cancels a task as far as its agent lets us. Never rejects. */
export const cancelQuietly = async (client: Client, id: string): Promise<void> => {
  const signal = AbortSignal.timeout(CANCEL_MS);
  await client.cancelTask(CancelTaskRequest.fromJSON({ id }), { signal }).catch(() => undefined);
};

/** One call of an agent: a message, the wait for what comes of it, and the questions in between. */
class A2aCall {
  readonly #agent: CalledAgent;
  readonly #client: Client;
  readonly #call: TaskToolCall;

  constructor(agent: CalledAgent, client: Client, call: TaskToolCall) {
    this.#agent = agent;
    this.#client = client;
    this.#call = call;
  }

  get #texts() {
    return a2aMessages(this.#call.language);
  }

  /** Sends a message that begins a task. One whose fate is unknown is sent again only to an agent that knows it by its id. */
  async begin(message: string): Promise<OutsideResult> {
    const { name, isIdempotent } = this.#agent;
    const { effect_id, isRepeated = false } = this.#call;
    // By it a later process finds the task: its id may be lost with the process that got it.
    const contextId = `tripact-${effect_id}`;
    const known = isRepeated ? await this.#found(contextId) : null;
    if (known !== null) return this.#follow(known);
    if (isRepeated && !isIdempotent) return failed(this.#texts.lostBefore(name));
    return this.#follow(await this.#send({ messageId: effect_id, contextId, text: message }));
  }

  /** Goes on with the task that asked. */
  async answer(resumed: NonNullable<TaskToolCall['resumed']>): Promise<OutsideResult> {
    const { task, context, stop } = State.parse(JSON.parse(resumed.state ?? '{}'));
    const [said] = resumed.answers;
    if (said?.action !== 'accept') {
      await this.#cancel(task);
      return failed(this.#texts.declined(this.#agent.name));
    }
    const isAuthorized = said.content?.[ANSWER] === undefined;
    const now = isAuthorized || this.#call.isRepeated === true ? await this.#get(task) : null;
    const isThere = now === null || this.#isAt(now, stop) || (isAuthorized && waits.includes(stateOf(now)));
    // An earlier process sent the answer, or the agent saw a sign-in by itself, and the task has gone on.
    if (!isThere) return this.#follow(now);
    const messageId = `${this.#call.effect_id}-${resumed.earlier.length + 1}`;
    const text = String(said.content?.[ANSWER] ?? this.#texts.authorized);
    return this.#follow(await this.#send({ messageId, contextId: context, taskId: task, text }), stop);
  }

  #send({ text, ...ids }: { messageId: string; contextId: string; taskId?: string; text: string }) {
    const message = { ...ids, role: 'ROLE_USER', parts: [{ text, mediaType: 'text/plain' }] };
    const request = SendMessageRequest.fromJSON({ message, configuration: { returnImmediately: true } });
    return this.#client.sendMessage(request, { signal: this.#call.signal });
  }

  #get(id: string): Promise<Task> {
    return this.#client.getTask(GetTaskRequest.fromJSON({ id }), { signal: this.#call.signal });
  }

  /** The task that an earlier process began in this context; null: none is known. */
  async #found(contextId: string): Promise<Task | null> {
    try {
      const request = ListTasksRequest.fromJSON({ contextId, pageSize: 1, includeArtifacts: true });
      const { tasks } = await this.#client.listTasks(request, { signal: this.#call.signal });
      const [task] = tasks.filter((each) => each.contextId === contextId);
      return task === undefined ? null : await this.#get(task.id);
    } catch (error) {
      // Agents of older versions have no list.
      if (isRefusal(error)) return null;
      throw error;
    }
  }

  #isAt(task: Task, stop: string | undefined): boolean {
    return waits.includes(stateOf(task)) && stop !== undefined && stopOf(task) === stop;
  }

  /** Waits until a task stops. `passed` is the stop at which it was answered. */
  async #follow(first: Message | Task, passed?: string): Promise<OutsideResult> {
    if (!isTask(first))
      return withFiles({ ok: true, result: this.#said(textOf(first.parts, this.#texts.media)) }, filesIn(first.parts));
    let task = first;
    this.#note(task.id);
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const state = stateOf(task);
      if (over.includes(state)) return this.#result(task);
      if (waits.includes(state) && !this.#isAt(task, passed)) return this.#ask(task);
      await wait(pause, undefined, { signal: this.#call.signal });
      task = await this.#looked(task);
    }
  }

  /** The task as it is now, or as it was while its agent is away. Rejects where the agent knows it no more. */
  async #looked(task: Task): Promise<Task> {
    try {
      return await this.#get(task.id);
    } catch (error) {
      if (this.#call.signal.aborted || isRefusal(error)) throw error;
      return task;
    }
  }

  async #ask(task: Task): Promise<ToolResult> {
    const { resumed } = this.#call;
    const { name } = this.#agent;
    const count = (resumed?.earlier.length ?? 0) + (resumed?.answers.length ?? 0);
    if (count >= TOOL_QUESTIONS_MAX) {
      await this.#cancel(task.id);
      return failed(this.#texts.asksTooMuch(name, TOOL_QUESTIONS_MAX));
    }
    const stop = stopOf(task);
    const state = JSON.stringify({ task: task.id, context: task.contextId, ...(stop !== undefined && { stop }) });
    throw new ToolAsks({ server: name, requests: [this.#request(task, `${count}`)], state });
  }

  /** The agent's question: for words; or, where it wants a sign-in, for a visit to the page that it names, or a yes. */
  #request(task: Task, key: string): ToolRequest {
    const said = this.#agent.hide(textOf(task.status?.message?.parts, this.#texts.media));
    const message = (said || this.#texts.asks).slice(0, TOOL_QUESTION_CHARS_MAX).toWellFormed();
    if (stateOf(task) === TaskState.TASK_STATE_INPUT_REQUIRED)
      return {
        kind: 'form',
        key,
        message,
        schema: { type: 'object', properties: { [ANSWER]: { type: 'string' } }, required: [ANSWER] },
      };
    const link = readLink(ADDRESS.exec(said)?.[0]);
    if (!('reason' in link)) return { kind: 'link', key, message, ...link };
    return { kind: 'form', key, message, schema: { type: 'object', properties: {}, required: [] } };
  }

  #result(task: Task): OutsideResult {
    this.#forget(task.id);
    const text = resultOf(task, this.#texts.media);
    const state = stateOf(task);
    if (state === TaskState.TASK_STATE_COMPLETED)
      return withFiles({ ok: true, result: this.#said(text) }, filesOf(task));
    const ended = this.#texts.ended(this.#agent.name, stateName(state));
    return failed(text === '' ? ended : `${ended}: ${this.#agent.hide(text)}`);
  }

  #said(text: string): string {
    return text === '' ? this.#texts.noOutput : this.#agent.hide(text);
  }

  async #cancel(id: string): Promise<void> {
    this.#forget(id);
    await cancelQuietly(this.#client, id);
  }

  #note(id: string): void {
    const { open } = this.#agent;
    const { task_id } = this.#call;
    open.set(task_id, (open.get(task_id) ?? new Map()).set(id, this.#client));
  }

  #forget(id: string): void {
    const { open } = this.#agent;
    const ours = open.get(this.#call.task_id);
    ours?.delete(id);
    if (ours?.size === 0) open.delete(this.#call.task_id);
  }
}

/** Cancels what an agent still does for a task. Never rejects. */
export const cancelOpen = async ({ open }: CalledAgent, taskId: string): Promise<void> => {
  const ours = open.get(taskId) ?? new Map<string, Client>();
  open.delete(taskId);
  await Promise.all([...ours].map(([id, client]) => cancelQuietly(client, id)));
};

const isTimeLimit = ({ reason }: AbortSignal): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError';

/**
 * Calls an agent and waits for what comes of it. Whatever goes wrong is a failed result. Throws `ToolAsks` where the
 * agent needs an input, and when the call's signal aborts: the agent's task then goes on, unless its time is over.
 */
export const callAgent = async (agent: CalledAgent, message: string, call: TaskToolCall): Promise<OutsideResult> => {
  const { name, remote, hide } = agent;
  const texts = a2aMessages(call.language);
  let isOpen = false;
  try {
    const client = await remote.open();
    isOpen = true;
    const made = new A2aCall(agent, client, call);
    return await (call.resumed === undefined ? made.begin(message) : made.answer(call.resumed));
  } catch (error) {
    if (error instanceof ToolAsks) throw error;
    if (call.signal.aborted) {
      if (isTimeLimit(call.signal)) void cancelOpen(agent, call.task_id);
      throw error;
    }
    const reason = reasonOf(error, hide);
    if (isRefusal(error)) return failed(texts.refused(name, reason));
    remote.forget(error);
    return failed(!isOpen || isUnsent(error) ? texts.notCalled(name, reason) : texts.lost(name, reason));
  }
};
