/**
 * The commands that a text may become, while it is a slash and the beginning of a word; none once a command is
 * complete.
 */
export const completionsOf = (text: string, commands: readonly string[]): string[] => {
  if (!/^\/\w*$/.test(text)) return [];
  const found = commands.filter((command) => command.startsWith(text.toLowerCase()));
  return found.length === 1 && found[0] === text ? [] : found;
};
