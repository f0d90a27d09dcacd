import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { OBSERVATION_CHARS_MAX } from '../../../contracts/limits.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { cutText, type Language, plainLine } from '../../../contracts/text.ts';
import { printable } from '../../lib/printable.ts';

/** Longest address or media type that a result names, in characters. */
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
      // Some servers hand over a file as a resource with text: there it is the answer itself.
      return 'text' in resource ? `${named}\n${resource.text}` : named;
    }
    default:
      return block satisfies never;
  }
};

/**
 * Writes the result of an MCP tool as one text: texts joined, pictures, sounds and binary resources only named, the
 * structured content as JSON where there is no text. At most `OBSERVATION_CHARS_MAX` characters, no control characters; `hide` cuts secrets out before it is cut.
 */
export const resultText = (
  { content, structuredContent }: CallToolResult,
  language: Language,
  hide: (text: string) => string,
): string => {
  const structured = structuredContent === undefined ? [] : [JSON.stringify(structuredContent)];
  const blocks = content.map(blockText).filter((text) => text !== '');
  const said = content.some(({ type }) => type === 'text') ? blocks : [...blocks, ...structured];
  return said.length === 0
    ? messages(language).toolCalls.noOutput
    : cutText(hide(printable(said.join('\n')).toWellFormed()), OBSERVATION_CHARS_MAX);
};
