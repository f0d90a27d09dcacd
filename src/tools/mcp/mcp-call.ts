import {
  type CallToolResult,
  type ElicitResult,
  isInputRequiredResult,
  type Tool as ListedTool,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { messages } from '../../../contracts/messages/messages.ts';
import type { ToolResult } from '../../../contracts/task.ts';
import {
  SERVER_STATE_CHARS_MAX,
  TOOL_QUESTIONS_MAX,
  type ToolAnswer,
  type ToolRequest,
} from '../../../contracts/tool-question.ts';
import type { SignIns } from '../../sign-in/port.ts';
import { isRecord } from '../defined/read-input.ts';
import { type OutsideResult, type TaskToolCall, ToolAsks } from '../port.ts';
import { askSignIn, hasDeclined, SIGN_IN } from './ask-sign-in.ts';
import { signInNeeded } from './authorization.ts';
import { readElicitation, readRequests } from './elicited.ts';
import { HeldCall, type HeldCalls } from './held-calls.ts';
import { readingOf } from './reading-tools.ts';
import { filesIn, resultText } from './result-text.ts';
import type { Link, ServerConnection } from './server-connection.ts';
import { callProblem, isForgotten, isUnreached, reasonOf } from './transport.ts';

/** Longest wait for a result, in milliseconds: a day, so that the service's time limit ends a call. */
const RESULT_TIMEOUT_MS = 24 * 60 * 60 * 1000;

/**
 * How a request was asked, at the beginning of its key: in a result (`input_required`), on the connection of a call
 * that is held, or by a refusal that names pages to visit first.
 */
const IN_RESULT = 'in:';
const ON_CONNECTION = 'el:';
const BY_REFUSAL = 'url:';

/** A server as its calls reach it. */
export interface ReachedServer {
  /** The connection for an owner's call: their own, once they have signed in. */
  connectionFor(owner: string): Promise<ServerConnection>;
  /** Sign-ins at the server; null: none can be offered. */
  signIns: SignIns | null;
  held: HeldCalls;
  /** Masks secrets in a text: the server's, and the tokens of its users. */
  hide(text: string): string;
}

/** The state that a question keeps for the call that goes on with its answers. */
const State = z.object({
  server: z.string().optional(),
  /** The input that was to be sent when a sign-in came between. */
  input: z.record(z.string(), z.unknown()).optional(),
});

const failed = (result: string): ToolResult => ({ ok: false, result });

/**
 * A promise's value, unless the signal aborts first. Calls share connecting, so none of them may end it for the others.
 */
const untilAborted = <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    promise.then(resolve, reject);
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

const resultOf = ({ action, content }: ToolAnswer): ElicitResult =>
  action === 'accept' ? { action, ...(content !== undefined && { content }) } : { action };

/** The answers to what a server asked in its last result, as it wants them back with its state. */
const inputOf = ({ resumed }: TaskToolCall): Record<string, unknown> => {
  const state = State.parse(JSON.parse(resumed?.state ?? '{}'));
  if (state.input !== undefined) return state.input;
  const answers = (resumed?.answers ?? []).filter(({ key }) => key.startsWith(IN_RESULT));
  if (answers.length === 0) return {};
  const { server } = state;
  return {
    inputResponses: Object.fromEntries(answers.map((each) => [each.key.slice(IN_RESULT.length), resultOf(each)])),
    ...(server !== undefined && { requestState: server }),
  };
};

/** The answers that a call has had, in the order of their questions. */
const answersOf = ({ resumed }: TaskToolCall): ToolAnswer[] =>
  resumed === undefined ? [] : [...resumed.earlier, ...resumed.answers];

/** The pages that a server's refusal names; null for any other fault. */
const pagesIn = (error: unknown): unknown[] | null => {
  if (!(error instanceof ProtocolError) || error.code !== ProtocolErrorCode.UrlElicitationRequired) return null;
  const { elicitations } = isRecord(error.data) ? error.data : {};
  return Array.isArray(elicitations) ? elicitations : [];
};

/**
 * A tool of a server, as it is called. Whatever goes wrong is a failed result. `call` throws `ToolAsks` where the server
 * asks the user; the call then goes on with the answers: over the connection that it was asked on, while that lasts, or
 * else by calling again, but never a tool twice that must not be.
 */
export class McpToolCalls {
  readonly #listed: ListedTool;
  readonly #server: string;
  readonly #isRepeatable: boolean;
  readonly #reached: ReachedServer;

  constructor(
    listed: ListedTool,
    { server, isRepeatable }: { server: string; isRepeatable: boolean },
    reached: ReachedServer,
  ) {
    this.#listed = listed;
    this.#server = server;
    this.#isRepeatable = isRepeatable;
    this.#reached = reached;
  }

  async call(args: Record<string, unknown>, call: TaskToolCall): Promise<OutsideResult> {
    const { held, hide } = this.#reached;
    const texts = messages(call.language).mcp;
    const waiting = held.take(call.effect_id);
    held.leave(call.task_id, call.effect_id);
    if (hasDeclined(call, BY_REFUSAL)) return failed(texts.declined(this.#server));
    if (hasDeclined(call, SIGN_IN)) return failed(texts.notSignedIn(this.#server));
    try {
      const isHeld = call.resumed?.answers.some(({ key }) => key.startsWith(ON_CONNECTION)) ?? false;
      return await (isHeld ? this.#answer(waiting, args, call) : this.#reach(args, call));
    } catch (error) {
      if (call.signal.aborted || error instanceof ToolAsks) throw error;
      return failed(texts.cannotAsk(this.#server, reasonOf(error, hide)));
    }
  }

  async #reach(args: Record<string, unknown>, call: TaskToolCall, isAgain = false): Promise<OutsideResult> {
    let connection: ServerConnection | null = null;
    let link: Link | null = null;
    try {
      connection = await this.#reached.connectionFor(call.owner);
      link = await untilAborted(connection.open(), call.signal);
      return await this.#begin(link, args, call);
    } catch (error) {
      if (call.signal.aborted) throw call.signal.reason;
      if (error instanceof ToolAsks) throw error;
      const asked = await this.#askedBy(error, call);
      if (asked !== null) return asked;
      if (connection !== null && link !== null) this.#leaveBroken(connection, link, error);
      if (link !== null && isForgotten(error) && !isAgain) return this.#reach(args, call, true);
      return this.#fault(link, error, call);
    }
  }

  #begin(link: Link, args: Record<string, unknown>, call: TaskToolCall): Promise<OutsideResult> {
    if (link.client.getProtocolEra() !== 'legacy') return this.#callByRounds(link, args, call);
    const current = new HeldCall(call, (signal) =>
      this.#callOnce(link, args, call, {}, signal).finally(() => link.calls.delete(current)),
    );
    link.calls.add(current);
    return this.#goOn(current, call, answersOf(call));
  }

  /** Performs a call of the 2026 protocol: its questions are results, and each answer is another call. */
  async #callByRounds(link: Link, args: Record<string, unknown>, call: TaskToolCall): Promise<OutsideResult> {
    const texts = messages(call.language).mcp;
    let input: object = inputOf(call);
    for (let round = 0; round < TOOL_QUESTIONS_MAX; round++) {
      const result: unknown = await this.#callOnce(link, args, call, input, call.signal);
      if (!isInputRequiredResult(result)) return this.#gave(result as CallToolResult, call);
      const { inputRequests, requestState } = result;
      const requests = readRequests(inputRequests, IN_RESULT, TOOL_QUESTIONS_MAX, this.#reached.hide);
      if ('reason' in requests) return failed(texts.cannotAsk(this.#server, requests.reason));
      if ((requestState?.length ?? 0) > SERVER_STATE_CHARS_MAX)
        return failed(texts.cannotAsk(this.#server, 'its state is too long'));
      if (requests.length > 0) this.#ask(call, requests, JSON.stringify({ server: requestState }));
      // It only wants its state back.
      input = { requestState };
    }
    return failed(texts.cannotAsk(this.#server, 'it never comes to an end'));
  }

  /** Calls once. The result may be that it needs more input. */
  #callOnce(
    link: Link,
    args: Record<string, unknown>,
    { effect_id, session_id, task_id, owner }: TaskToolCall,
    input: object,
    signal: AbortSignal,
  ): Promise<CallToolResult> {
    const listed = this.#listed;
    const named = Object.entries({ effect_id, session_id, task_id, owner });
    const _meta = Object.fromEntries(named.map(([name, value]) => [`tripact/${name}`, value]));
    // Without its output schema: enforcing what it promises is not our task, and checking a foreign schema can take
    // forever.
    const toolDefinition = { ...listed, outputSchema: undefined };
    const options = { signal, timeout: RESULT_TIMEOUT_MS, toolDefinition, allowInputRequired: true };
    const read = readingOf(listed);
    if (read !== undefined) return read(link.client, args, input, options);
    return link.client.callTool({ name: listed.name, arguments: args, _meta, ...input }, options);
  }

  /** Goes on with a call of the 2025 protocol up to its result, or to a question that was not answered before. */
  async #goOn(current: HeldCall, call: TaskToolCall, known: ToolAnswer[]): Promise<OutsideResult> {
    for (;;) {
      const news = await current.next(call.signal);
      if ('result' in news) return this.#gave(news.result, call);
      const request = readElicitation(ON_CONNECTION, news.elicited, this.#reached.hide);
      const at = 'reason' in request ? -1 : known.findIndex(({ message }) => message === request.message);
      const [answer] = at < 0 ? [] : known.splice(at, 1);
      if (answer !== undefined) current.answer(resultOf(answer));
      else if ('reason' in request) current.answer({ action: 'cancel' });
      else {
        this.#reached.held.keep(current);
        this.#ask(call, [request]);
      }
    }
  }

  /** Goes on with a call whose server asked on its connection, and holds its result back. */
  async #answer(
    waiting: HeldCall | undefined,
    args: Record<string, unknown>,
    call: TaskToolCall,
  ): Promise<OutsideResult> {
    const [answer] = call.resumed?.answers ?? [];
    if (answer !== undefined && waiting?.isAsking === true) {
      waiting.answer(resultOf(answer));
      return this.#goOn(waiting, call, []);
    }
    if (this.#isRepeatable) return this.#reach(args, call);
    // It must not run twice: its result counts, if it came without an answer; else nobody knows what it did.
    const lost = failed(messages(call.language).mcp.askedAndLost(this.#server, true));
    return waiting?.isOver === true ? this.#goOn(waiting, call, []).catch(() => lost) : lost;
  }

  /** Asks the user to sign in or to visit pages, where a refusal demands it; nothing was called. Null: the fault demands nothing. */
  async #askedBy(error: unknown, call: TaskToolCall): Promise<ToolResult | null> {
    const { signIns, hide } = this.#reached;
    const needed = signInNeeded(error);
    if (needed !== null) {
      const input = inputOf(call);
      const state = Object.keys(input).length === 0 ? undefined : JSON.stringify({ input });
      return askSignIn(signIns, this.#server, needed, call, hide, state);
    }
    const pages = pagesIn(error);
    if (pages === null) return null;
    const texts = messages(call.language).mcp;
    const requests = pages.map((page, i) => readElicitation(`${BY_REFUSAL}${i}`, page, hide));
    const unaskable = requests.find((request) => 'reason' in request);
    if (unaskable !== undefined) return failed(texts.cannotAsk(this.#server, unaskable.reason));
    if (requests.length === 0) return failed(texts.cannotAsk(this.#server, 'it names no page'));
    return this.#ask(call, requests as ToolRequest[]);
  }

  #ask(call: TaskToolCall, requests: ToolRequest[], state?: string): never {
    const asked = answersOf(call).length + requests.length;
    if (asked > TOOL_QUESTIONS_MAX) throw new Error(`it asks more than ${TOOL_QUESTIONS_MAX} questions in one call`);
    throw new ToolAsks({ server: this.#server, requests, ...(state !== undefined && { state }) });
  }

  /** Gives up a connection that a fault broke. One that is over is closed, too. */
  #leaveBroken(connection: ServerConnection, link: Link, error: unknown): void {
    const isOver = link.fault !== null || isForgotten(error);
    if (isOver || isUnreached(error)) connection.drop(link, link.fault ?? reasonOf(error, this.#reached.hide));
    if (isOver) void link.client.close().catch(() => undefined);
  }

  /** A call's fault as its result. */
  #fault(link: Link | null, error: unknown, { language }: TaskToolCall): ToolResult {
    const texts = messages(language).mcp;
    const reason = link?.fault ?? reasonOf(error, this.#reached.hide);
    if (link === null) return failed(texts.notCalled(this.#server, reason, false));
    return failed(texts[callProblem(error)](this.#server, reason, !this.#isRepeatable));
  }

  #gave(result: CallToolResult, { language }: TaskToolCall): OutsideResult {
    const files = filesIn(result);
    const text = { ok: result.isError !== true, result: resultText(result, language, this.#reached.hide) };
    return files.length === 0 ? text : { ...text, files };
  }
}
