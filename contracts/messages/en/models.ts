import type { z } from 'zod';
import { answerRules } from '../../answer-rules.ts';

/**
 * Why a model's text cannot be read as its contract: for the model's next attempt, and for the user when the machine
 * asks or pauses.
 */
export const modelReply = {
  tooLong: (max: number) => `the answer is longer than ${max} characters`,
  empty: 'the answer is empty',
  webPage: 'the answer is a web page, not a JSON object',
  onlyThinking: 'the answer holds only thinking',
  neitherObjectNorList: 'the answer holds neither a JSON object nor a list of steps',
  neitherObjectNorMark: 'the answer holds neither a JSON object nor a mark',
  neitherObjectNorMarkListIsNoPlan:
    'the answer holds neither a JSON object nor a mark; a list in prose is no plan here: answer with the object',
  inProse:
    'the JSON object stands in the middle of a line of text, where it may be a quotation: begin your own on a new line',
  textBehindAction: 'text stands behind the action: end the answer with its JSON object',
  markBesideAction: 'a mark stands beside the action: answer with one of the two',
  yamlTooLong: (max: number) => `the YAML in the answer is longer than ${max} characters: answer with JSON`,
  ambiguous: 'the answer is ambiguous: it holds several different JSON objects',
  notBalanced: 'the braces in the answer are not balanced',
  unreadable: (why: string) => `the JSON in the answer can't be read: ${why}`,
  /** Why JSON cannot be parsed. */
  fault: {
    nested: 'it stands inside another value',
    cutOff: 'it never closes, so the answer was cut off',
    guess: 'it is no valid JSON, and to repair it would be a guess',
    roundedNumber: 'it has a number with more digits than JSON keeps: write it as a string',
    doubleBackslash: 'it has a backslash that JSON does not know: double each backslash in a string',
    repeatedKey: 'a key stands twice in it',
    reservedKey: (key: string) => `the key "${key}" is refused`,
    tooDeep: (max: number) => `it is nested deeper than ${max} levels`,
    bracketsDoNotMatch: 'its brackets do not match',
  },
  unknownControl: 'control: must be "step_done", "blocked" or "replan"',
  noCall:
    'the message has no call; if its text is your answer to the user, call finish, and leave out the response: the text is taken',
  notDue: (name: string, due: string) => `${name} is not due now: ${due}`,
  due: {
    plan: 'call plan, or for a task of one step the tool itself, ask_user or finish',
    thought: 'call a tool, ask_user, or item_done',
    replan: 'call finish, or plan with the work that is left; a tool goes on with the plan as it is',
  },
  badArguments: (name: string, why: string | null) =>
    why === null ? `the arguments of ${name} are no JSON object` : `the arguments of ${name} can't be taken: ${why}`,
  planTooLong: (max: number) => `plan: must have at most ${max} items`,
  expected: (types: string[]) => `expected ${types.join(' or ')}`,
  field: (path: string, problem: string) => `${path}: ${problem}`,
  problems: (listed: string[], more: number) =>
    more > 0 ? `${listed.join('; ')}; and ${more} more` : listed.join('; '),
};

/**
 * Why a model's answer is not accepted: for the model's next attempt, and for the user when the machine asks or pauses.
 */
export const rejections = {
  truncated: 'the answer was cut off at the token limit',
  refused: 'the model refused to answer',
  empty: 'the answer was empty',
  only_reasoning: 'the answer was empty: all that came stands in the reasoning, which is not read',
  tool_use: 'the answer was a tool call where the contract was due',
  statusNotAllowed: (status: string, allowed: readonly string[]) =>
    `status: "${status}" is not allowed now, only ${allowed.join(' or ')}`,
  toolNotAllowed: (tool: string, allowed: readonly string[]) =>
    `next_action.tool: "${tool}" is not allowed here, only ${allowed.join(', ') || 'no tool'}`,
  onlyReading: (tool: string, allowed: readonly string[]) =>
    `next_action.tool: "${tool}" changes something, and the user has not agreed to the plan yet; until then only ${allowed.join(', ') || 'no tool'} may be called. End the item with what you found, and plan what is left`,
  itemTools: (id: string, tools: readonly string[], names: readonly string[]) =>
    `plan: item "${id}" names no tool that it can use (${tools.join(', ')}); there are ${names.join(', ')}`,
  statusRequires: (status: string, field: string) => `status "${status}" requires ${field}`,
  outcomeWithoutDone: 'outcome: only status "done" has one',
  optionsWithoutAsking: 'options: only status "ask_user" has them',
  moreActionsWithoutContinue: 'more_actions: only status "continue" has them',
  toolNotBeside: (tool: string, allowed: readonly string[]) =>
    `more_actions: "${tool}" has to be called alone; beside others ${allowed.length === 0 ? 'no tool may be called' : `only ${allowed.join(', ')} may be called`}`,
  tooManyAtOnce: (max: number) => `more_actions: at most ${max} ${max === 1 ? 'action' : 'actions'} at once now`,
  repeatedQuestion: 'question: the user has just answered this very question',
  doneRequiresResponse: 'status "done" requires a response',
  doneRequiresAnswer: 'answer: status "done" requires one that meets its schema, as an object',
  allCompleted: 'plan: every item of it is completed already',
  duplicateId: (id: string) => `plan: the id "${id}" is used twice`,
  unknownDependency: (id: string, dependency: string) =>
    `plan: item "${id}" depends on "${dependency}", which is no item of this task`,
  cycle: 'plan: the dependencies form a cycle',
};

/** Why a schema refuses a value, as a statement of what the value must be. Never quotes the value. */
export const validation = {
  issue: (issue: z.core.$ZodIssue): string => issue.message.replace(/^Invalid \w+: /, ''),
  rules: answerRules,
};
