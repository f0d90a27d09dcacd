const uncertain = (isUncertain: boolean): string => (isUncertain ? '; outcome unknown, it may have taken effect' : '');

/** What a tool of an MCP server reports when the call brought no result. `isUncertain`: it may have run all the same. `oneOf`: beside the field of the form in which a host asks its user. */
export const mcp = {
  refused: (server: string, reason: string) => `the MCP server "${server}" refused the call: ${reason}`,
  wantsInput: (server: string, isUncertain: boolean) =>
    `the MCP server "${server}" wanted to ask the user first, which is not possible here${uncertain(isUncertain)}`,
  invalidResult: (server: string, reason: string, isUncertain: boolean) =>
    `the MCP server "${server}" gave an answer that is no result: ${reason}${uncertain(isUncertain)}`,
  notCalled: (server: string, reason: string) =>
    `the MCP server "${server}" could not be called: ${reason}; nothing was called`,
  lost: (server: string, reason: string, isUncertain: boolean) =>
    `the MCP server "${server}" was lost during the call: ${reason}${uncertain(isUncertain)}`,
  down: (server: string, reason: string) => `the MCP server "${server}" is down: ${reason}; nothing was called`,
  oneOf: (options: readonly string[]) => `One of: ${options.join(' · ')}; or any other answer`,
};
