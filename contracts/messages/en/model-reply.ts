/** A kind of JSON that is no object. */
export type JsonKind = 'null' | 'array' | 'string' | 'number' | 'boolean' | 'object';

/** Why a model's text can't be read as its contract: for the model's next attempt, and for the user when the machine asks or pauses. */
export const modelReply = {
  tooLong: (max: number) => `the answer is longer than ${max} characters`,
  empty: 'the answer is empty',
  webPage: 'the answer is a web page, not a JSON object',
  onlyThinking: 'the answer holds only thinking',
  notAnObject: (kind: JsonKind) => `the answer is a JSON ${kind}, not a JSON object`,
  neitherObjectNorList: 'the answer holds neither a JSON object nor a list of steps',
  neitherObjectNorMark: 'the answer holds neither a JSON object nor a mark',
  neitherObjectNorListNorMark: 'the answer holds neither a JSON object nor a list of steps or a mark',
  ambiguous: 'the answer is ambiguous: it holds several different JSON objects',
  notBalanced: 'the braces in the answer are not balanced',
  unreadable: (why: string) => `the JSON in the answer can't be read: ${why}`,
  /** Why JSON can't be read. */
  fault: {
    nested: 'it stands in something that is no valid JSON',
    cutOff: 'it never closes, so the answer was cut off',
    guess: 'it is no valid JSON, and to repair it would be a guess',
    doubleBackslash: 'it has a backslash that JSON does not know: double each backslash in a string',
    repeatedKey: 'a key stands twice in it',
    reservedKey: (key: string) => `the key "${key}" is refused`,
    tooDeep: (max: number) => `it is nested deeper than ${max} levels`,
    bracketsDoNotMatch: 'its brackets do not match',
  },
  unknownControl: 'control: must be "step_done", "blocked" or "replan"',
  planTooLong: (max: number) => `plan: must have at most ${max} items`,
  expected: (types: string[]) => `expected ${types.join(' or ')}`,
  field: (path: string, problem: string) => `${path}: ${problem}`,
  problems: (listed: string[], more: number) =>
    more > 0 ? `${listed.join('; ')}; and ${more} more` : listed.join('; '),
};
