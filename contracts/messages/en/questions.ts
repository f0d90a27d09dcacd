/** The questions that the machine asks by itself (SPEC 3, 6). Lists come numbered, an entry a line. */
export const questions = {
  afterFailures: (step: string, inARow: number) => `The step "${step}" failed ${inARow} times in a row:`,
  afterRounds: (step: string, rounds: number) => `The step "${step}" reached the limit of ${rounds} rounds unfinished.`,
  whatNext: 'What should I do?',
  confirmPlan: (count: number, plan: string) =>
    `This is the plan, ${count} items:\n${plan}\nShall I go on? (yes, no, or say what to change)`,
};
