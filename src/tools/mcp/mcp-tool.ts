import type { CallToolResult, ContentBlock, Tool as ListedTool } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { AnswerSchema } from '../../../contracts/answer-schema.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import type { ToolResult } from '../../../contracts/task.ts';
import { type Language, plainLine } from '../../../contracts/text.ts';
import { printable } from '../../lib/printable.ts';
import { modelSchema } from '../defined/model-schema.ts';
import { describeInput, isRecord, type JsonSchema, problemsOf, readInput } from '../defined/read-input.ts';
import type { OutsideTool, TaskToolCall } from '../port.ts';
import type { McpServerConfig } from './port.ts';
import type { Link, ServerConnection } from './server-connection.ts';
import { callProblem, isForgotten, isUnreached, reasonOf } from './transport.ts';

/** Longest description of a tool in a list for people, in characters. Models get the whole description. */
const SUMMARY_CHARS_MAX = 500;

/** Longest wait for a result, in milliseconds: a day, so that the service's time limit ends a call. */
const RESULT_TIMEOUT_MS = 24 * 60 * 60 * 1000;

const NAME_CHARS_MAX = 300;

const label = (...words: (string | undefined)[]): string =>
  `[${plainLine(words.filter((word) => word !== undefined && word !== '').join(', '), NAME_CHARS_MAX)}]`;

const blockText = (block: ContentBlock): string => {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return label(block.type, block.mimeType);
    case 'resource_link':
      return label(`resource ${block.uri}`, block.title ?? block.name, block.mimeType);
    case 'resource': {
      const { resource } = block;
      const named = label(`resource ${resource.uri}`, resource.mimeType);
      // Some servers return a file as a resource with text; there it is the answer itself.
      return 'text' in resource ? `${named}\n${resource.text}` : named;
    }
    default:
      return block satisfies never;
  }
};

/**
 * Largest integer that JavaScript writes with all its digits, as ids are. Larger numbers are measurements with an
 * exponent.
 */
const DIGITS_MAX = 1e21;

/** Whether a number may be a longer one that JSON rounded. */
const isPerhapsRounded = (value: unknown): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value as number) < DIGITS_MAX;

/** The result of an MCP tool as one text; media is only named. `hide` masks secrets. */
const resultText = (
  { content, structuredContent, isError }: CallToolResult,
  language: Language,
  hide: (text: string) => string,
): string => {
  const { roundedNumber } = messages(language).mcp;
  const exact = (_key: string, value: unknown): unknown => (isPerhapsRounded(value) ? roundedNumber : value);
  const structured = structuredContent === undefined ? [] : [JSON.stringify(structuredContent, exact)];
  const blocks = content.map(blockText).filter((text) => text !== '');
  const isTold = content.some((block) => block.type === 'text' && block.text.trim() !== '');
  const said = isTold ? blocks : [...blocks, ...structured];
  if (said.join('').trim() !== '') return hide(printable(said.join('\n')).toWellFormed());
  const { failedWithoutReason, noOutput } = messages(language).toolCalls;
  return isError === true ? failedWithoutReason : noOutput;
};

/**
 * The faults of arguments by the part of a schema that can be checked safely. Formats and alternatives are left to the
 * server, which may be laxer.
 */
const certainProblems = (schema: JsonSchema, args: Record<string, unknown>, language: Language): string[] => {
  const { data } = AnswerSchema.safeParse(schema);
  if (data === undefined) return [];
  const { error } = z.fromJSONSchema(data as Parameters<typeof z.fromJSONSchema>[0]).safeParse(args);
  const issues = error?.issues.filter(({ code }) => code !== 'invalid_format' && code !== 'invalid_union') ?? [];
  return problemsOf(issues, language);
};

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

/**
 * Creates a tool from one that an MCP server lists, sanitized and bounded; its hints determine `effect` and `writes`.
 * The server checks the types of arguments.
 */
export const createMcpTool = (
  listed: ListedTool,
  {
    name,
    server,
    approval,
    source,
  }: { name: string; server: string; approval: boolean; source?: McpServerConfig['source'] },
  connection: ServerConnection,
  hide: (text: string) => string,
): OutsideTool => {
  const { readOnlyHint = false, idempotentHint = false, openWorldHint } = listed.annotations ?? {};
  const isRepeatable = readOnlyHint || idempotentHint;
  const isUntrusted = source === undefined ? openWorldHint !== false : source === 'untrusted';
  const told = hide(printable(listed.description ?? listed.annotations?.title ?? '').replace(/\p{Cf}/gu, ''));
  const description =
    told.toWellFormed().trim() || `The tool ${plainLine(listed.name, 60)} of the MCP server ${server}.`;

  const reach = async (args: Record<string, unknown>, call: TaskToolCall, isAgain = false): Promise<ToolResult> => {
    const texts = messages(call.language).mcp;
    let link: Link | null = null;
    try {
      link = await untilAborted(connection.open(), call.signal);
      const { effect_id, session_id, task_id, owner } = call;
      const named = Object.entries({ effect_id, session_id, task_id, owner });
      const _meta = Object.fromEntries(named.map(([name, value]) => [`tripact/${name}`, value]));
      // Without its output schema: enforcing what it promises is not our task, and checking a foreign schema can take
      // forever.
      const toolDefinition = { ...listed, outputSchema: undefined };
      const limits = { signal: call.signal, timeout: RESULT_TIMEOUT_MS, toolDefinition };
      const result = await link.client.callTool({ name: listed.name, arguments: args, _meta }, limits);
      return { ok: result.isError !== true, result: resultText(result, call.language, hide) };
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

  const refused = (problems: string[], language: Language) => ({
    refusal: messages(language).toolInput.refused(problems, describeInput(listed.inputSchema, language)),
  });
  const argumentsOf = (input: string, language: Language): { args: Record<string, unknown> } | { refusal: string } => {
    const read = readInput(input, name, listed.inputSchema, language);
    if ('value' in read && isRecord(read.value)) return { args: read.value };
    return refused('problems' in read ? read.problems : [messages(language).toolInput.notAnObject], language);
  };

  return {
    name,
    description,
    usage: hide(describeInput(listed.inputSchema, 'en')),
    schema: modelSchema(listed.inputSchema, hide),
    help: (language) => ({
      summary: plainLine(description, SUMMARY_CHARS_MAX),
      usage: hide(describeInput(listed.inputSchema, language)),
    }),
    effect: isRepeatable ? 'idempotent' : 'at_most_once',
    writes: !readOnlyHint,
    origin: { kind: 'mcp', server },
    ...(approval && { approval }),
    ...(isUntrusted && { source: 'untrusted' as const }),
    async checkInput(input, language) {
      const read = argumentsOf(input, language);
      if ('refusal' in read) return read.refusal;
      const problems = certainProblems(listed.inputSchema, read.args, language);
      return problems.length > 0 ? refused(problems, language).refusal : null;
    },
    async parseInput(input, language) {
      const read = argumentsOf(input, language);
      if ('refusal' in read) throw new Error(read.refusal);
      return read.args;
    },
    async run(input, call) {
      const read = argumentsOf(input, call.language);
      return 'refusal' in read ? failed(read.refusal) : reach(read.args, call);
    },
  };
};
