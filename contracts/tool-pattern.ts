/** True for a tool that is meant by its name, or by the beginning of it with a trailing `*` (`mail_*`). */
export const isToolMeant = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
