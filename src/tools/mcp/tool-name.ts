import { createHash } from 'node:crypto';

/** Longest tool name, in characters: what tags, prompts and the configuration allow. */
const NAME_CHARS_MAX = 64;

/** Hexadecimal digits of the mark that keeps two names apart. */
const MARK_CHARS = 6;

/**
 * Names a server's tool `<server>_<tool>` within `^[A-Za-z0-9_-]{1,64}$`. A name that had to be changed, or that another server
 * or a tool of the service could have too, ends in a mark made from both names. It depends on nothing else, so a task
 * that waits for days over restarts still means the same tool. `servers` are all there are, `reserved` the names of the service's own tools.
 */
export const mcpToolName = (
  server: string,
  tool: string,
  servers: readonly string[],
  reserved: readonly string[],
): string => {
  const plain = `${server}_${tool}`;
  const safe = plain.replace(/[^A-Za-z0-9_-]+/g, '_');
  // Tool `b_c` of server `a` and tool `c` of server `a_b`: the tool of the shorter server name is renamed.
  const isShared = servers.some((other) => other.length > server.length && safe.startsWith(`${other}_`));
  const isClear = safe === plain && safe.length <= NAME_CHARS_MAX && tool !== '';
  if (isClear && !isShared && !reserved.includes(safe)) return safe;
  const mark = createHash('sha256')
    .update(JSON.stringify([server, tool]))
    .digest('hex')
    .slice(0, MARK_CHARS);
  return `${safe.slice(0, NAME_CHARS_MAX - MARK_CHARS - 1)}_${mark}`;
};
