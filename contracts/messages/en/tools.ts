/** Reports of a tool call or verification that failed where the tool itself could not say so (SPEC 7). */
export const toolCalls = {
  timedOut: (tool: string, timeoutMs: number) => `${tool} did not finish within ${timeoutMs} ms`,
  mayHaveRun: (text: string) => `${text}; outcome unknown, it may have taken effect`,
  unknownTool: (tool: string) => `the tool "${tool}" is not available any more`,
  changedNothing: (tool: string, reason: string) => `${tool} failed, and changed nothing: ${reason}`,
  failed: (tool: string, reason: string) => `${tool} failed: ${reason}`,
  interrupted:
    'outcome unknown: the service stopped while this ran, and it is never run twice; check before doing it again',
  noOutput: 'Done; the tool gave nothing back.',
  verifierFailed: (reason: string) => `the verifier failed: ${reason}`,
  verifierTimedOut: (timeoutMs: number) => `did not finish within ${timeoutMs} ms`,
  verifierNotRun: (command: string, reason: string) => `${command} could not be run: ${reason}`,
  exited: (code: number | null) => `exited with ${code}`,
  killed: (signal: string) => `was ended by ${signal}`,
  modelAdapterFailed: 'the model adapter failed; see the log',
};

/** Faults in the input of a tool that takes fields. Field names come quoted. */
export const toolInput = {
  plainText: 'Plain text, taken as it is.',
  jsonOf: 'JSON of this schema:',
  textOrJsonOf: (field: string) => `The ${field} alone as plain text, or JSON of this schema:`,
  missingField: (field: string) => `${field} is missing`,
  unknownField: (field: string) => `there is no field ${field}`,
  invalidJson: (reason: string) => `This is not valid JSON: ${reason}`,
  notAnObject: 'This is JSON, but not an object',
  tooDeep: (levels: number) => `This nests deeper than ${levels} levels`,
  reservedKey: (key: string) => `The key "${key}" is not allowed`,
  invalidField: (field: string, problem: string) => `${field}: ${problem}`,
  refused: (problems: string[], usage: string) => `${problems.join('; ')}.\nUsage: ${usage}`,
};

/** Texts of the files tool. */
export const files = {
  list: (count: number, bytes: number) => `Files: ${count}, ${bytes} bytes in all`,
  emptyList: 'There are no files.',
  line: (path: string, bytes: number, modified: string) => `${path}  ${bytes} bytes  ${modified}`,
  noSuchPage: (page: number, pages: number) => `There is no page ${page}: the list has ${pages}.`,
  nextPage: (page: number, pages: number) => `(page ${page} of ${pages}; for the next one: --page ${page + 1})`,
  notAllSeen: '(There is more in this folder than is looked at.)',
  empty: (path: string) => `${path} is empty.`,
  noSuchLine: (path: string, line: number, lines: number) => `${path} has no line ${line}: it has ${lines}.`,
  part: (path: string, from: number, to: number, lines: number) => `(${path}: lines ${from} to ${to} of ${lines})`,
  nextLine: (path: string, line: number) => `(to read on: /files read ${path} --line ${line})`,
  lineCut: (line: number, chars: number) => `(line ${line} is cut: it has ${chars} characters)`,
  onlyBeginning: (path: string, bytes: number) => `(${path} has ${bytes} bytes; only its beginning can be read)`,
  changed: {
    write: (path: string, bytes: number) => `Wrote ${path}: it has ${bytes} bytes.`,
    append: (path: string, bytes: number) => `Appended to ${path}: it has ${bytes} bytes now.`,
    replace: (path: string, bytes: number) => `Replaced the passage in ${path}: it has ${bytes} bytes now.`,
    delete: (path: string, _bytes: number) => `Deleted ${path}.`,
  },
  missingPath: 'The path is missing.',
  missingText: 'The text is missing; for an empty one write "".',
  missingPassages: 'Give the old passage and the new one, each in quotes.',
  passageNotFound: (path: string) => `${path} does not have this passage.`,
  passageNotUnique: (path: string, count: number, isCut: boolean) =>
    `${path} has this passage ${count} times${isCut ? ' or more' : ''}: give more of what stands around it.`,
  refused: {
    invalid_path: (path: string, _max: number) =>
      `"${path}" is no path of a file here: give names with / between, such as notes/today.md, without "..".`,
    service_file: (path: string, _max: number) => `${path} is kept by the service: it can be read, not changed.`,
    not_found: (path: string, _max: number) => `There is no ${path}.`,
    not_a_file: (path: string, _max: number) => `${path} is not a plain file.`,
    not_text: (path: string, _max: number) => `${path} is not a text file.`,
    file_too_large: (path: string, max: number) =>
      `${path} would be, or is, larger than ${max} bytes, the most for one file.`,
    session_full: (_path: string, _max: number) =>
      'The files of this session take all the space that they may: delete some first.',
    too_many_files: (_path: string, _max: number) => 'This session has as many files as it may: delete some first.',
    changed_meanwhile: (path: string, _max: number) =>
      `${path} was changed by something else while this was interrupted, so it is not known whether it was done: read it first.`,
  },
};

/** Texts of the tool for named plans, and of `/plan` with a name. */
export const namedPlans = {
  created: (plan: string) => `Created.\n${plan}`,
  updated: (plan: string) => `Updated.\n${plan}`,
  activated: (plan: string) => `Active now.\n${plan}`,
  marked: (plan: string) => `Marked.\n${plan}`,
  deleted: (planId: string) => `Deleted plan "${planId}".`,
  refused: {
    unknown: (planId: string) => `There is no plan "${planId}".`,
    no_active: (_planId: string) => 'No plan is active: give a plan id.',
    exists: (planId: string) => `Plan "${planId}" already exists: update it, or choose another id.`,
    full: (_planId: string) => 'This session has too many plans: delete one first.',
    no_such_step: (_planId: string) => 'The plan has no step with this number.',
  },
  heading: (title: string, planId: string, isActive: boolean) =>
    `Plan: ${title} (ID: ${planId}${isActive ? ', active' : ''})`,
  progress: (share: string) => `Progress: ${share}`,
  share: (completed: number, total: number, percent: string) => `${completed}/${total} steps completed (${percent}%)`,
  notes: (text: string) => `Notes: ${text}`,
  list: (count: number) => `Plans (${count})`,
  emptyList: 'No plans.',
  wholeCommand: 'the command',
  invalidField: (field: string, problem: string) => `${field}: ${problem}.`,
  unknownStatus: (given: string, allowed: readonly string[]) =>
    `"${given}" is no status of a step; there are ${allowed.join(', ')}.`,
  unknownCommand: (given: string) => `There is no command "${given}".`,
  missingField: (field: string) => `${field} is missing.`,
  wrongType: (field: string, expected: string) => `${field} must be of type ${expected}.`,
  invalidPlanId: 'must have 1 to 64 letters, digits, _, . or -, and not digits alone',
  invalidJson: 'This is not valid JSON.',
  missingPlanId: 'The plan id is missing.',
  missingStepNumber: 'The number of the step is missing.',
  stepNumber: 'The step number',
};

/** Texts of the internet search. */
export const search = {
  usage: 'internet_search <words to search for>',
  missingQuery: (usage: string) => `The words to search for are missing. Usage: ${usage}`,
  queryTooLong: (max: number, usage: string) => `The query is longer than ${max} characters. Usage: ${usage}`,
  notConfigured:
    'No internet search is configured. Set TRIPACT_SEARXNG_URL to a SearXNG instance, or ANTHROPIC_API_KEY to use the web search of Anthropic.',
  noSummary: '(no summary)',
  nothingFound: (query: string) => `Nothing was found for "${query}".`,
  searxng: {
    failed: (reason: string) => `SearXNG: ${reason}`,
    jsonRefused: 'it refuses the json format (403). Add "json" to search.formats in its settings.yml.',
    rateLimited: 'it limits how often it may be asked (429). Turn off server.limiter in its settings.yml.',
    status: (status: number) => `it answered with status ${status}. Check TRIPACT_SEARXNG_URL and the instance.`,
    notSearchJson: 'its answer is not the search JSON. Check that TRIPACT_SEARXNG_URL is a SearXNG.',
    silentEngines: (engines: string[]) => `its search engines gave nothing (${engines.join('; ')}).`,
    timedOut: (seconds: number) => `it gave no answer within ${seconds} s.`,
    unreachable: (host: string, detail: string) =>
      `${host} could not be reached (${detail}). Check TRIPACT_SEARXNG_URL and that it runs.`,
  },
  anthropic: {
    failed: (reason: string) => `Anthropic web search: ${reason}`,
    unreadable: 'the answer could not be read.',
    keyRefused: (detail: string) => `the key was refused (${detail}). Check ANTHROPIC_API_KEY.`,
    notSupported: (detail: string) =>
      `this model or server has no web search (${detail}). Set TRIPACT_SEARXNG_URL to search with SearXNG instead.`,
    failedLater: (detail: string) => `${detail || 'no answer'} Try again later.`,
    searchFailed: (code: string) => `it failed with ${code}. Reword the query or try later.`,
    notSearched: (stopReason: string | null) =>
      `the model did not search (stop reason ${stopReason}). Reword the query.`,
    timedOut: (seconds: number) => `it gave no answer within ${seconds} s.`,
  },
};

/** Texts of the tool `coding_agent`, and of its commands (SPEC 10). */
export const codingAgent = {
  usage: '<what the coding agent should do, in full sentences>',
  /** The sections of a command (SPEC 10). */
  headings: { description: 'Task description', constraints: 'Constraints', expected: 'Expected output' },
  none: 'None.',
  sessionEnds: 'The task has ended; nothing more will be asked in this session.',
  withdrawn: (commands: string[]) => ` No report is expected any more on: ${commands.join(', ')}.`,
  missingInstruction: 'The instruction for the coding agent is missing.',
  emptyReport: '(The report says nothing more.)',
  unreadableReport: (problem: string, file: string, text: string) =>
    `The coding agent answered, but ${problem}. It is kept as ${file}.${text === '' ? '' : `\n\nIt reads:\n${text}`}`,
  lateReport: (command: string, text: string) => `An earlier command, ${command}, was reported on too late:\n${text}`,
  noReport: (timeoutMs: number) =>
    `The coding agent sent no report within ${timeoutMs} ms. A further call on this item tries again; is a coding agent watching commands/pending of the bridge folder?`,
  bridgeFailed: (code: string) => `The bridge folder can not be used (${code}): see TRIPACT_BRIDGE_DIR and the log.`,
  /** Faults of a report. */
  problem: {
    not_a_file: 'the report is no regular file',
    empty: 'the report is empty',
    no_front_matter: 'the report has no front matter between two lines of "---"',
    no_status: 'the report has no status that is SUCCESS, FAILED or PARTIAL_SUCCESS',
    other_task: 'the report names another task in its front matter',
  },
};

const uncertain = (isUncertain: boolean): string => (isUncertain ? '; outcome unknown, it may have taken effect' : '');

/** Reports of a tool of an MCP server whose call brought no result. `isUncertain`: it may have run all the same. `oneOf`: beside the field of the form in which a host asks its user. */
export const mcp = {
  refused: (server: string, reason: string, _isUncertain: boolean) =>
    `the MCP server "${server}" refused the call: ${reason}`,
  wantsInput: (server: string, _reason: string, isUncertain: boolean) =>
    `the MCP server "${server}" wanted to ask the user first, which is not possible here${uncertain(isUncertain)}`,
  invalidResult: (server: string, reason: string, isUncertain: boolean) =>
    `the MCP server "${server}" gave an answer that is no result: ${reason}${uncertain(isUncertain)}`,
  notCalled: (server: string, reason: string, _isUncertain: boolean) =>
    `the MCP server "${server}" could not be called: ${reason}; nothing was called`,
  lost: (server: string, reason: string, isUncertain: boolean) =>
    `the MCP server "${server}" was lost during the call: ${reason}${uncertain(isUncertain)}`,
  down: (server: string, reason: string) => `the MCP server "${server}" is down: ${reason}; nothing was called`,
  oneOf: (options: readonly string[]) => `One of: ${options.join(' · ')}; or any other answer`,
};
