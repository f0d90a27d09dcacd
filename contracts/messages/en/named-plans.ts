/** What the tool for named plans, and `/plan` with a name, report. */
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
