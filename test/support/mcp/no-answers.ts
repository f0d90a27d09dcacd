/** What a server may answer a call with beside its id, and is no answer of JSON-RPC. */
export const NO_ANSWERS = [
  '"result":null',
  '"result":5',
  '"result":[{}]',
  '"error":null',
  '"error":"no"',
  '"error":{"code":1e999,"message":"no"}',
  '"result":{"content":[]},"error":null',
  '"result":{"content":[]},"error":{"code":1,"message":"no"}',
  '"method":null,"result":{"content":[]}',
  '"ok":true',
];

/** What is said of such a call, at a server `odd`. */
export const NOT_VALID =
  'the MCP server "odd" gave an answer that is no result: not valid JSON-RPC; outcome unknown, it may have taken effect';
