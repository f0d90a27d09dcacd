import { z } from 'zod';
import { checked } from '../../../contracts/checked.ts';
import { plainLine } from '../../../contracts/plain-line.ts';

/** Longest name of a tool that a log line has, in characters. */
const NAME_CHARS_MAX = 100;

/** What is used of a tool that a server lists; whatever else there is of it, such as pictures and what its results look like, is left out. */
const ListedTool = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.looseObject({
    type: z.literal('object'),
    properties: z.record(z.string(), z.unknown()).optional(),
    required: z.array(z.string()).optional(),
  }),
  annotations: z
    .object({
      title: z.string().optional(),
      readOnlyHint: z.boolean().optional(),
      destructiveHint: z.boolean().optional(),
      idempotentHint: z.boolean().optional(),
    })
    .optional(),
});

/** What a log says of a tool that is none: its name, or its place in the list. */
export const labelOf = (tool: unknown, place: number): string => {
  const { name } = Object(tool) as { name?: unknown };
  return typeof name === 'string' ? plainLine(name, NAME_CHARS_MAX) : `#${place + 1}`;
};

/** Reads a list tool by tool, since the protocol's client refuses a whole list for one that breaks the protocol; `refused` names those that do. */
export const readListedTools = (listed: readonly unknown[]): { tools: unknown[]; refused: string[] } => {
  const tools: unknown[] = [];
  const refused: string[] = [];
  for (const [place, tool] of listed.entries()) {
    const read = checked(ListedTool, tool);
    if (read.success) tools.push(read.data);
    else refused.push(labelOf(tool, place));
  }
  return { tools, refused };
};
