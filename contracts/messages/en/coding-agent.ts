/** What the tool `coding_agent` reports, and what its commands hold (SPEC 10). */
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
  lateReport: (command: string, status: string, text: string) =>
    `An earlier command, ${command}, was reported on too late:\n${status}\n\n${text}`,
  noReport: (timeoutMs: number) =>
    `The coding agent sent no report within ${timeoutMs} ms. A further call on this item tries again; is a coding agent watching commands/pending of the bridge folder?`,
  bridgeFailed: (code: string) => `The bridge folder can not be used (${code}): see TRIPACT_BRIDGE_DIR and the log.`,
  bridgeUnusable: (folder: string) => `${folder} in the bridge folder is a link or no folder`,
  taskEnded: 'the task has ended, nothing more is sent to the coding agent',
  /** What is wrong with a report. */
  problem: {
    not_a_file: (_detail: string) => 'the report is no regular file',
    empty: (_detail: string) => 'the report is empty',
    no_front_matter: (_detail: string) => 'the report has no front matter between two lines of "---"',
    front_matter_too_large: (_detail: string) => 'the front matter of the report is too large',
    invalid_yaml: (_detail: string) => 'the front matter of the report is not valid YAML',
    no_status: (_detail: string) => 'the report has no status that is SUCCESS, FAILED or PARTIAL_SUCCESS',
    other_task: (detail: string) => `the report names another task, ${detail}`,
  },
};
