import type { Tool as ListedTool } from '@modelcontextprotocol/client';
import { messages } from '../../../contracts/messages/messages.ts';
import type { ToolResult } from '../../../contracts/task.ts';
import { plainLine } from '../../../contracts/text.ts';
import { describeInput, isRecord, readInput } from '../defined/read-input.ts';
import type { OutsideTool, TaskToolCall } from '../port.ts';
import { callProblem, isForgotten, isUnreached, reasonOf } from './call-problem.ts';
import { resultText } from './result-text.ts';
import type { Link, ServerConnection } from './server-connection.ts';

/** Longest description of a tool, in characters: every plan's prompt contains those of all tools. */
export const DESCRIPTION_CHARS_MAX = 500;

/** Longest wait for a result, in milliseconds: a day, so that the time limit of the service is what ends a call. */
const RESULT_TIMEOUT_MS = 24 * 60 * 60 * 1000;

/** Dependencies of a tool of a server. */
export interface McpToolOptions {
  /** The tool's name in this service. */
  name: string;
  /** The server's name in the configuration. */
  server: string;
  listed: ListedTool;
  connection: ServerConnection;
  /** A person approves each call of a task. */
  approval: boolean;
  /** Cuts the server's secrets out of a text. */
  hide(text: string): string;
}

const failed = (result: string): ToolResult => ({ ok: false, result });

/** A promise's value, unless the signal aborts first: connecting is shared by calls, so none may end it for the others. */
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
  const isRepeatable = readOnlyHint || idempotentHint;
  const description = plainLine(hide(listed.description ?? listed.annotations?.title ?? ''), DESCRIPTION_CHARS_MAX);

  const callOn = async ({ client }: Link, args: Record<string, unknown>, call: TaskToolCall): Promise<ToolResult> => {
    const _meta = {
      'tripact/effect_id': call.effect_id,
      'tripact/session_id': call.session_id,
      'tripact/task_id': call.task_id,
      'tripact/owner': call.owner,
    };
    const result = await client.callTool(
      { name: listed.name, arguments: args, _meta },
      {
        ...{ signal: call.signal, timeout: RESULT_TIMEOUT_MS },
        // Without its output schema: what it promises is not ours to enforce, and checking a foreign schema can take forever.
        toolDefinition: { ...listed, outputSchema: undefined },
      },
    );
    return { ok: result.isError !== true, result: resultText(result, call.language, hide) };
  };

  const reach = async (args: Record<string, unknown>, call: TaskToolCall, isAgain = false): Promise<ToolResult> => {
    const texts = messages(call.language).mcp;
    let link: Link | null = null;
    try {
      link = await untilAborted(connection.open(), call.signal);
      return await callOn(link, args, call);
    } catch (error) {
      if (call.signal.aborted) throw call.signal.reason;
      const reason = link?.fault ?? reasonOf(error, hide);
      if (link === null) return failed(texts.notCalled(server, reason, false));
      const isOver = link.fault !== null || isForgotten(error);
      if (isOver || isUnreached(error)) connection.drop(link, reason);
      if (isOver) void link.client.close().catch(() => undefined);
      if (isForgotten(error) && !isAgain) return reach(args, call, true);
      return failed(texts[callProblem(error)](server, reason, !isRepeatable));
    }
  };

  return {
    name,
    description: description || `The tool ${plainLine(listed.name, 60)} of the MCP server ${server}.`,
    usage: hide(describeInput(listed.inputSchema, 'en')),
    effect: isRepeatable ? 'idempotent' : 'at_most_once',
    writes: !readOnlyHint,
    origin: { kind: 'mcp', server },
    ...(approval && { approval }),
    async run(input, call) {
      const read = readInput(input, name, listed.inputSchema, call.language);
      const texts = messages(call.language).toolInput;
      if ('value' in read && isRecord(read.value)) return reach(read.value, call);
      const problems = 'problems' in read ? read.problems : [texts.notAnObject];
      return failed(texts.refused(problems, describeInput(listed.inputSchema, call.language)));
    },
  };
};
