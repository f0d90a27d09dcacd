/** The questions that the machine asks by itself (SPEC 3, 6). Lists come numbered, an entry a line. */
export const questions = {
  afterFailures: (step: string, inARow: number) => `The step "${step}" failed ${inARow} times in a row:`,
  afterRounds: (step: string, rounds: number) =>
    `The step "${step}" reached its round limit (${rounds} rounds) unfinished.`,
  whatNext: 'What should I do?',
  confirmPlan: (count: number, plan: string) =>
    `This is the plan, ${count === 1 ? '1 item' : `${count} items`}:\n${plan}\nShall I go on? (yes, no, or say what to change)`,
  mayRun: (tool: string, input: string) => `May I run the tool "${tool}" with this input?\n\n${input}`,
  didNotRun: (tool: string, input: string) => `May I run "${tool}"? (It did not run.) Its input: ${input}`,
  /** What the user may choose from; each is understood as such when it is sent back. */
  approved: 'yes',
  rejected: 'no',
  approvedAlways: 'always',
  edited: (input: string) => `yes, but with this input: ${input}`,
  /** To an answer that came too late. */
  notOpen: 'This question is not open any more: it was answered, or its task has ended. Your answer was not used.',
  /** To an earlier message that is to be answered again meanwhile. */
  answerFirst:
    'A question is open in this conversation: answer it, or send /cancel, before an earlier message is answered again',
  planEdited: (tool: string) => `The plan was changed, so "${tool}" did not run. Shall I go on with the changed plan?`,
};
