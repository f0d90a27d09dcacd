/** What is wrong with the input of a tool that takes fields. Field names come quoted. */
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
