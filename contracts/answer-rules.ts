/** The rules between fields of an answer, in English. A schema names its rule by `rule()`, so that every language can show it. */
export const answerRules = {
  notBlank: () => 'must not be empty',
  statusRequires: (status: string, field: string) => `status "${status}" requires ${field}`,
  statusLeavesNull: (status: string, field: string) => `status "${status}" must leave ${field} null`,
  replannedRequiresPlan: () => 'status "replanned" requires a non-empty plan',
  doneRequiresResponse: () => 'status "done" requires a response',
  oneOf: (one: string, other: string) => `must have ${one} or ${other}`,
  planId: () => 'must have 1 to 64 letters, digits, _, . or -, and not digits alone',
};
