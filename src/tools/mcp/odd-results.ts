import { type CallToolResult, isSpecType, type Transport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { plainLine } from '../../../contracts/text.ts';
import { isRecord } from '../defined/read-input.ts';

/** A tool that a server lists but that cannot be used. */
export interface LeftOut {
  tool: string;
  reason: string;
}

const NAME_CHARS_MAX = 64;

/** Longest text shown of an unknown content block, in characters. */
const TEXT_CHARS_MAX = 500;

const text = z.string().optional().catch(undefined);
const hint = z.boolean().optional().catch(undefined);

/**
 * The parts of a tool that are used beside its name and input schema. The rest is dropped, as is each part of a wrong
 * type, which would otherwise invalidate the whole list.
 */
const Listed = z.object({
  title: text,
  description: text,
  annotations: z
    .object({ title: text, readOnlyHint: hint, destructiveHint: hint, idempotentHint: hint, openWorldHint: hint })
    .optional()
    .catch(undefined),
});

/** The schema of a tool's input, or the reason why it cannot be used, as a text. */
const readInputSchema = (given: unknown): Record<string, unknown> | string => {
  const schema = given === undefined || given === null || given === true ? {} : given;
  if (!isRecord(schema)) return 'its inputSchema is not an object';
  const { type, properties, required } = schema;
  const types = type === undefined || type === null ? ['object'] : [type].flat();
  if (!types.includes('object'))
    return `its inputSchema is of the type ${plainLine(JSON.stringify(type), NAME_CHARS_MAX)}, not object`;
  return {
    ...schema,
    type: 'object',
    properties: isRecord(properties) ? properties : undefined,
    required: Array.isArray(required) ? required.filter((name) => typeof name === 'string') : undefined,
  };
};

const readTool = (given: unknown): Record<string, unknown> | LeftOut => {
  if (!isRecord(given)) return { tool: '?', reason: 'it is not an object' };
  const { name } = given;
  if (typeof name !== 'string' || name === '') return { tool: '?', reason: 'it has no name' };
  const inputSchema = readInputSchema(given['inputSchema']);
  if (typeof inputSchema === 'string') return { tool: plainLine(name, NAME_CHARS_MAX), reason: inputSchema };
  return { ...Listed.parse(given), name, inputSchema };
};

const isLeftOut = (tool: Record<string, unknown> | LeftOut): tool is LeftOut => 'reason' in tool;

/** The readable part of a block that the protocol does not define. Bytes are left out. */
const textOf = (block: unknown): string => {
  if (typeof block === 'string') return block;
  const { text, resource } = isRecord(block) ? block : {};
  if (typeof text === 'string') return text;
  if (isRecord(resource) && typeof resource['text'] === 'string') return resource['text'];
  return JSON.stringify(block, (key, value: unknown) => {
    if (key === 'data' || key === 'blob' || value === null) return undefined;
    return typeof value === 'string' ? plainLine(value, TEXT_CHARS_MAX) : value;
  });
};

const readBlock = (block: unknown): CallToolResult['content'][number] =>
  isSpecType.ContentBlock(block) ? block : { type: 'text', text: textOf(block) };

const isSaid = (value: unknown): boolean => value !== undefined && value !== null;

/**
 * Makes a result readable that the client would reject as a whole. `leave` gets each listed tool that cannot be used.
 */
const readResult = (result: Record<string, unknown>, leave: (tool: LeftOut) => void): Record<string, unknown> => {
  const { tools, nextCursor, content, structuredContent, isError, ...rest } = result;
  if (Array.isArray(tools)) {
    const read = tools.map(readTool);
    for (const tool of read) if (isLeftOut(tool)) leave(tool);
    const cursor = typeof nextCursor === 'string' && nextCursor !== '' ? { nextCursor } : {};
    return { ...rest, ...cursor, tools: read.filter((tool) => !isLeftOut(tool)) };
  }
  if (![content, structuredContent, isError].some(isSaid)) return result;
  const blocks = (isSaid(content) ? [content].flat() : []).map(readBlock);
  // The 2025 protocol allows only objects.
  const isData = isRecord(structuredContent);
  const said = !isData && isSaid(structuredContent) && blocks.length === 0;
  return {
    ...rest,
    content: said ? [{ type: 'text', text: JSON.stringify(structuredContent) }] : blocks,
    ...(isData && { structuredContent }),
    ...(isSaid(isError) && { isError: isError !== false }),
  };
};

/**
 * Repairs results on a connection before its client validates them: many servers deviate a little from the protocol.
 */
export const readOddResults = (transport: Transport | undefined, leave: (tool: LeftOut) => void): void => {
  const receive = transport?.onmessage;
  if (transport === undefined || receive === undefined) return;
  transport.onmessage = (message, extra) =>
    receive('result' in message ? { ...message, result: readResult(message.result, leave) } : message, extra);
};
