import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { messages } from '../../../contracts/messages/messages.ts';
import { type Language, plainLine } from '../../../contracts/text.ts';
import { printable } from '../../lib/printable.ts';
import type { ToolFile } from '../port.ts';

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

/** Images and files with bytes in an MCP tool's result. */
export const filesIn = ({ content }: CallToolResult): ToolFile[] =>
  content.flatMap((block): ToolFile[] => {
    if (block.type === 'image') return [{ name: 'image', data: block.data }];
    if (block.type !== 'resource' || !('blob' in block.resource)) return [];
    return [{ name: block.resource.uri.split(/[?#]/, 1)[0], data: block.resource.blob }];
  });

/**
 * Largest integer that JavaScript writes with all its digits, as ids are. Larger numbers are measurements with an
 * exponent.
 */
const DIGITS_MAX = 1e21;

/** Whether a number may be a longer one that JSON rounded. */
const isPerhapsRounded = (value: unknown): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value as number) < DIGITS_MAX;

/** The result of an MCP tool as one text; media is only named. `hide` masks secrets. */
export const resultText = (
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
