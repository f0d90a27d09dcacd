import type { ThoughtStatus } from '../../thought.ts';

/** Why a model's answer is not accepted: for the model's next attempt, and for the user when the machine asks or pauses. */
export const rejections = {
  truncated: 'the answer was cut off at the token limit',
  refused: 'the model refused to answer',
  empty: 'the answer was empty',
  toolUse: 'the answer was a tool call where the contract was due',
  statusNotAllowed: (status: ThoughtStatus, allowed: readonly ThoughtStatus[]) =>
    `status: "${status}" is not allowed now, only ${allowed.join(' or ')}`,
  toolNotAllowed: (tool: string, allowed: readonly string[]) =>
    `next_action.tool: "${tool}" is not allowed here, only ${allowed.join(', ') || 'no tool'}`,
  statusRequires: (status: string, field: string) => `status "${status}" requires ${field}`,
  outcomeWithoutDone: 'outcome: only status "done" has one',
  optionsWithoutAsking: 'options: only status "ask_user" has them',
  repeatedQuestion: 'question: the user has just answered this very question',
  doneRequiresResponse: 'status "done" requires a response',
  allCompleted: 'plan: every item of it is completed already',
  duplicateId: (id: string) => `plan: the id "${id}" is used twice`,
  unknownDependency: (id: string, dependency: string) =>
    `plan: item "${id}" depends on "${dependency}", which is no item of this task`,
  cycle: 'plan: the dependencies form a cycle',
};
