import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/client';
import { messages } from '../../../contracts/messages/messages.ts';
import type { ToolResult } from '../../../contracts/task.ts';
import { plainLine } from '../../../contracts/text.ts';
import { describeInput } from '../defined/describe-input.ts';
import { isRecord } from '../defined/json-schema.ts';
import { readInput } from '../defined/read-input.ts';
import type { OutsideTool, TaskToolCall } from '../port.ts';
import { type CallProblem, callProblem, reasonOf } from './call-problem.ts';
import { resultText } from './result-text.ts';
import type { Link, ServerConnection } from './server-connection.ts';

/** Longest description of a tool, in characters: every plan's prompt contains those of all tools. */
export const DESCRIPTION_CHARS_MAX = 500;

/** Longest wait for a result, in milliseconds: a day, so that the time limit of the service is what ends a call. */
const RESULT_TIMEOUT_MS = 24 * 60 * 60 * 1000;

/** What a tool of a server is made with. */
export interface McpToolOptions {
  /** The tool's name in this service. */
  name: string;
  /** The server's name in the configuration. */
  server: string;
  listed: ListedTool;
  connection: ServerConnection;
  /** A person approves each call of a task. */
  approval: boolean;
  hide(text: string): string;
}

const failed = (result: string): ToolResult => ({ ok: false, result });

/** What a promise gives, unless the signal aborts first: connecting is shared by calls, so none may end it for the others. */
const untilAborted = <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    promise.then(resolve, reject);
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/**
 * Makes a tool of this service out of one that an MCP server lists. Name and text of the server are cleaned and bounded. What the
 * tool says of itself decides: `readOnlyHint` or `idempotentHint` makes it `idempotent`, all others run `at_most_once`;
 * `readOnlyHint` alone makes it no writing tool. Arguments are checked for unknown and missing fields; types are the server's to check.
 */
export const createMcpTool = ({ name, server, listed, connection, approval, hide }: McpToolOptions): OutsideTool => {
  const { readOnlyHint = false, idempotentHint = false } = listed.annotations ?? {};
  const effect = readOnlyHint || idempotentHint ? 'idempotent' : 'at_most_once';
  const usage = hide(describeInput(listed.inputSchema, 'en'));
  const isUncertain = effect === 'at_most_once';
  const description = plainLine(hide(listed.description ?? listed.annotations?.title ?? ''), DESCRIPTION_CHARS_MAX);

  const request = (
    link: Link,
    args: Record<string, unknown>,
    { signal, effect_id }: TaskToolCall,
  ): Promise<CallToolResult> =>
    link.client.callTool(
      { name: listed.name, arguments: args, _meta: { 'tripact/effect_id': effect_id } },
      // Without its output schema: what it promises is not ours to enforce, and checking a foreign schema can take forever.
      { signal, timeout: RESULT_TIMEOUT_MS, toolDefinition: { ...listed, outputSchema: undefined } },
    );

  /** The observation of a call that brought no result. */
  const explain = (problem: CallProblem, reason: string, { language }: TaskToolCall): ToolResult => {
    const texts = messages(language).mcp;
    switch (problem) {
      case 'refused':
        return failed(texts.refused(server, reason));
      case 'asking':
        return failed(texts.wantsInput(server, isUncertain));
      case 'garbled':
        return failed(texts.invalidResult(server, reason, isUncertain));
      case 'session_gone':
      case 'unsent':
        return failed(texts.notCalled(server, reason));
      case 'lost':
        return failed(texts.lost(server, reason, isUncertain));
      default:
        return problem satisfies never;
    }
  };

  const reach = async (args: Record<string, unknown>, call: TaskToolCall, mayRepeat: boolean): Promise<ToolResult> => {
    let link: Link;
    try {
      link = await untilAborted(connection.open(), call.signal);
    } catch (error) {
      if (call.signal.aborted) throw call.signal.reason;
      return failed(messages(call.language).mcp.down(server, reasonOf(error, hide)));
    }
    link.calls++;
    try {
      const result = await request(link, args, call);
      return { ok: result.isError !== true, result: resultText(result, call.language, hide) };
    } catch (error) {
      if (call.signal.aborted) throw call.signal.reason;
      const problem = callProblem(error);
      const reason = link.fault ?? reasonOf(error, hide);
      if (['unsent', 'session_gone', 'lost'].includes(problem)) connection.drop(link, reason);
      if (problem !== 'session_gone' || !mayRepeat) return explain(problem, reason, call);
    } finally {
      link.calls--;
      connection.release(link);
    }
    return reach(args, call, false);
  };

  return {
    name,
    description: description || `The tool ${plainLine(listed.name, 60)} of the MCP server ${server}.`,
    usage,
    effect,
    writes: !readOnlyHint,
    origin: { kind: 'mcp', server },
    ...(approval && { approval }),
    async run(input, call) {
      const read = readInput(input, name, listed.inputSchema, call.language);
      const texts = messages(call.language).toolInput;
      const refuse = (problems: string[]): ToolResult =>
        failed(texts.refused(problems, describeInput(listed.inputSchema, call.language)));
      if ('problems' in read) return refuse(read.problems);
      if (!isRecord(read.value)) return refuse([texts.notAnObject]);
      const { ok, result } = await reach(read.value, call, true);
      return { ok, result: hide(result) };
    },
  };
};
