/** True for a tool that a pattern matches: its name, or the beginning of its name with a trailing `*` (`mail_*`). */
export const isToolMeant = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
