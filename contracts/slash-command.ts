/** A command's name behind the slash that Chinese input methods type. Other texts may begin with that one. */
const FULL_WIDTH = /^／(?=(cancel|continue|files|help|plan|resume|schedule|status|todo|tools?|view)(\s|$))/i;

/** An input as it is routed (SPEC 2): trimmed, and a command with a plain slash. */
export const routedInput = (input: string): string => input.trim().replace(FULL_WIDTH, '/');

/** True for an input that is a slash command, whatever its session does. */
export const isCommand = (input: string): boolean => routedInput(input).startsWith('/');
