import type { Tool as ListedTool } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { AnswerSchema } from '../../../contracts/answer-schema.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import type { ToolResult } from '../../../contracts/task.ts';
import { type Language, plainLine } from '../../../contracts/text.ts';
import { printable } from '../../lib/printable.ts';
import { modelSchema } from '../defined/model-schema.ts';
import { describeInput, isRecord, type JsonSchema, problemsOf, readInput } from '../defined/read-input.ts';
import type { OutsideTool } from '../port.ts';
import { McpToolCalls, type ReachedServer } from './mcp-call.ts';
import type { McpServerConfig } from './port.ts';

/** Longest description of a tool in a list for people, in characters. Models get the whole description. */
const SUMMARY_CHARS_MAX = 500;

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
  reached: ReachedServer,
): OutsideTool => {
  const { hide } = reached;
  const { readOnlyHint = false, idempotentHint = false, openWorldHint } = listed.annotations ?? {};
  const isRepeatable = readOnlyHint || idempotentHint;
  const isUntrusted = source === undefined ? openWorldHint !== false : source === 'untrusted';
  const told = hide(printable(listed.description ?? listed.annotations?.title ?? '').replace(/\p{Cf}/gu, ''));
  const calls = new McpToolCalls(listed, { server, isRepeatable }, reached);
  const description =
    told.toWellFormed().trim() || `The tool ${plainLine(listed.name, 60)} of the MCP server ${server}.`;

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
      return 'refusal' in read ? failed(read.refusal) : calls.call(read.args, call);
    },
  };
};
