import { readFileSync } from 'node:fs';
import type { Tool as ListedTool } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { writeFileWhole } from '../../workspace/write-file.ts';

/** A server as it was when it was last connected. */
const KeptServer = z.object({
  /** It spoke the protocol of 2025. */
  isOld: z.boolean(),
  tools: z.array(z.looseObject({ name: z.string(), inputSchema: z.looseObject({ type: z.literal('object') }) })),
});

const readKept = (path: string): Record<string, unknown> => {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return {};
  }
};

/** Keeps servers in a file, which is written whole or not at all. One that can't be read, or a server in it, is as unknown. Throws where it can't be written. */
export const createKeptServers = (path: string) => {
  const kept = readKept(path);
  return {
    get: (server: string) => KeptServer.safeParse(kept[server]).data ?? null,
    set: (server: string, isOld: boolean, tools: ListedTool[]): void => {
      kept[server] = { isOld, tools };
      writeFileWhole(path, JSON.stringify(kept));
    },
  };
};
export type KeptServers = ReturnType<typeof createKeptServers>;
