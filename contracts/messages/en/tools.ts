/** Reports of a failed tool call or verification, where the tool could not report it itself (SPEC 7). */
export const toolCalls = {
  timedOut: (tool: string, timeoutMs: number) => `${tool} did not finish within ${timeoutMs} ms`,
  mayHaveRun: (text: string) => `${text}; outcome unknown, it may have taken effect`,
  fileNotKept: (why: string) => `[a file of the result was not stored: ${why}]`,
  unknownTool: (tool: string) => `the tool "${tool}" is not available any more`,
  denied: (tool: string, reason?: string) =>
    `${tool} did not run: its policy denies this call${reason === undefined ? '' : `: ${reason}`}`,
  notBesideOthers: (tool: string) => `${tool} may not be called beside other tools any more; call it alone`,
  asksAlone: (tool: string) => `${tool} asks the user something: call it alone`,
  changedNothing: (tool: string, reason: string) => `${tool} failed, and changed nothing: ${reason}`,
  failed: (tool: string, reason: string) => `${tool} failed: ${reason}`,
  interrupted:
    'outcome unknown: the service stopped while this ran, and it is never run twice; check before doing it again',
  noOutput: 'Done; the tool gave nothing back.',
  failedWithoutReason: 'the tool gave no reason',
  verifierFailed: (reason: string) => `the verifier failed: ${reason}`,
  verifierTimedOut: (timeoutMs: number) => `did not finish within ${timeoutMs} ms`,
  verifierNotRun: (command: string, reason: string) => `${command} could not be run: ${reason}`,
  exited: (code: number | null) => `exited with ${code}`,
  killed: (signal: string) => `was ended by ${signal}`,
  modelAdapterFailed: 'the model adapter failed; see the log',
};

/** Faults in the input of a tool that takes fields. Field names are quoted by the caller. */
export const toolInput = {
  plainText: 'Plain text, taken as it is.',
  jsonOf: 'JSON of this schema:',
  textOrJsonOf: (field: string) => `The ${field} alone as plain text, or JSON of this schema:`,
  longSchema: (chars: number) =>
    `JSON of a schema of ${chars} characters, which the list of tools has (GET /v1/tools).`,
  missingField: (field: string) => `${field} is missing`,
  unknownField: (field: string) => `there is no field ${field}`,
  invalidJson: (reason: string) => `This is not valid JSON: ${reason}`,
  notAnObject: 'This is JSON, but not an object',
  roundedNumber: 'This has a number with more digits than JSON keeps: write it as a string',
  tooDeep: (levels: number) => `This nests deeper than ${levels} levels`,
  reservedKey: (key: string) => `The key "${key}" is not allowed`,
  invalidField: (field: string, problem: string) => `${field}: ${problem}`,
  refused: (problems: string[], usage: string) => `${problems.join('; ')}.\nUsage: ${usage}`,
};

const uncertain = (isUncertain: boolean): string => (isUncertain ? '; outcome unknown, it may have taken effect' : '');

/**
 * Reports of an MCP tool call without a result, or whose result has numbers that JSON rounded. `isUncertain`: the call
 * may still have run. `somethingElse` is an option in the form by which a host asks its user; `other` labels the field
 * for other words.
 */
export const mcp = {
  refused: (server: string, reason: string, _isUncertain: boolean) =>
    `the MCP server "${server}" refused the call: ${reason}`,
  notCalled: (server: string, reason: string, _isUncertain: boolean) =>
    `the MCP server "${server}" could not be called: ${reason}; nothing was called`,
  lost: (server: string, reason: string, isUncertain: boolean) =>
    `the MCP server "${server}" was lost during the call: ${reason}${uncertain(isUncertain)}`,
  /** A call whose server was asking the user when its connection ended. */
  askedAndLost: (server: string, isUncertain: boolean) =>
    `the connection on which the MCP server "${server}" asked is gone, so the answer could not be given${uncertain(isUncertain)}`,
  cannotAsk: (server: string, reason: string) => `the MCP server "${server}" asks what cannot be asked: ${reason}`,
  declined: (server: string) => `the user declined what the MCP server "${server}" asked for, so nothing was called`,
  noSignInPossible: (server: string) =>
    `the MCP server "${server}" wants a sign-in, and this service offers none: its operator has not set TRIPACT_SECRET_KEY; nothing was called`,
  signedIn: (server: string, tools: readonly string[]) =>
    `The user is signed in at the MCP server "${server}". Its tools: ${tools.join(', ') || 'none'}. Replan to use them.`,
  /** Why a user who has signed in is asked again; `rights` is empty where the server does not name them. */
  moreRights: (rights: string) =>
    rights === '' ? 'It needs more rights than you gave it.' : `It needs more rights than you gave it: ${rights}`,
  notSignedIn: (server: string) => `the user did not sign in at the MCP server "${server}", so nothing was called`,
  roundedNumber: '(a number that JSON rounded: the server has to write it as a string)',
  somethingElse: 'Something else',
  other: 'Your answer, if it is something else',
};

/** Texts about a path in a session; `max` is the largest file, in bytes. */
const textsOnPath = <Problem extends string>(texts: Record<Problem, (path: string, max: number) => string>) => texts;

/** Why a session's file cannot be read or changed, by problem. */
export const fileRefusals = textsOnPath({
  invalid_path: (path) =>
    `"${path}" is not a valid path: write names separated by /, such as notes/today.md, without "..".`,
  service_file: (path) => `${path} is written by the service: it can be read, but not changed.`,
  not_found: (path) => `There is no ${path}.`,
  not_a_file: (path) => `${path} is not a plain file.`,
  not_text: (path) => `${path} is not a text file.`,
  file_too_large: (path, max) => `${path} is, or would be, larger than ${max} bytes, the limit for one file.`,
  session_full: () => 'The files of this session have reached their size limit: delete some first.',
  too_many_files: () => 'This session has reached its limit of files: delete some first.',
});

/** The pages on which a browser signs in at a server of tools. */
export const signIn = {
  title: (server: string) => `Sign in at ${server}`,
  whose: (owner: string, server: string) =>
    `"${server}" will work for the account "${owner}" of this service with what you sign in with. Go on only if that account is yours.`,
  key: 'Your key or token for this service',
  goOn: 'Go on',
  goTo: (host: string) => `Go on to ${host}`,
  notYours: 'That did not show that the account is yours.',
  done: (server: string) => `You are signed in at ${server}`,
  goBack: 'You can close this page. What waited for it goes on.',
  notDone: 'You are not signed in',
  refused: {
    invalid: 'There is no such sign-in. Ask for a new link.',
    expired: 'This took too long. Open the link again.',
    used: 'This sign-in is over: it was finished, or begun anew. Open the link again.',
    other_browser: 'This sign-in was begun in another browser, and only that one can finish it.',
  },
  issuerFailed:
    'The server did not let you sign in, or cannot be reached. Open the link again; the log of the service says why.',
};
