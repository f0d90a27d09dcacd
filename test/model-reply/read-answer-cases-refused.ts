import type { RefusedCase } from './read-answer-case.ts';

const DONE = '{"status":"done"}';
const CUT = /never closes, so the answer was cut off/;
const AMBIGUOUS = /ambiguous/;
const GUESS = /to repair it would be a guess/;
const NO_LIST = /neither a JSON object nor a list of steps or a mark/;
const NO_OBJECT = /neither a JSON object nor a mark/;

export const refusedThoughts: RefusedCase[] = [
  { name: 'nothing', text: '', reason: /empty/ },
  { name: 'a refusal in prose', text: "I'm sorry, but I can't help with that.", reason: NO_OBJECT },
  { name: 'a web page', text: '<!DOCTYPE html><html><body>502 {"status":"done"}</body></html>', reason: /web page/ },
  { name: 'an API error object', text: '{"type":"error","error":{"type":"overloaded_error"}}', reason: NO_OBJECT },
  { name: 'an array', text: `[${DONE}]`, reason: /inside another value/ },

  { name: 'an object cut in a string', text: '{"status":"done","response":"The answer is', reason: CUT },
  { name: 'an object cut in a fence', text: '```json\n{"status":"done","response":"a\n```', reason: CUT },
  { name: 'a cut object before a mark', text: '{"status":"continue","response":"\n[Done]', reason: CUT },
  { name: 'a brace too many before its end', text: `${DONE}} or so`, reason: /not balanced/ },

  { name: 'two different objects', text: `${DONE}\n{"status":"done","response":"x"}`, reason: AMBIGUOUS },
  { name: 'an answer beside an object that is broken', text: `${DONE} {"a": oops}`, reason: GUESS },
  { name: 'a control object beside an answer', text: `{"control":"replan"} ${DONE}`, reason: AMBIGUOUS },

  { name: 'a __proto__ key', text: '{"status":"done","__proto__":{"x":1}}', reason: /"__proto__" is refused/ },
  { name: 'a key twice', text: '{"status":"done","a":1,"\\u0061":2}', reason: /a key stands twice/ },
  { name: 'a path of Windows', text: '{"status":"done","response":"C:\\proj"}', reason: /double each backslash/ },
  { name: 'a number with underscores', text: '{"status":"done","a":1_000}', reason: GUESS },
  { name: 'a __proto__ key in a control object', text: '{"control":"replan","__proto__":1}', reason: /__proto__/ },

  { name: 'YAML in a fence that never closes', text: '```yaml\nstatus: done\nresponse: The', reason: CUT },
  { name: 'YAML beside JSON', text: `\`\`\`yaml\nstatus: done\nresponse: x\n\`\`\`\n${DONE}`, reason: AMBIGUOUS },
  { name: 'YAML with a key twice', text: 'status: done\nresponse: a\nresponse: b', reason: GUESS },
  { name: 'YAML with an alias', text: 'status: &s done\nresponse: *s', reason: GUESS },
  { name: 'YAML with a __proto__ key', text: 'status: done\n__proto__:\n  x: 1', reason: /__proto__/ },
  { name: 'YAML with a number that would lose digits', text: 'status: done\na: 12345678901234567890', reason: GUESS },
  { name: 'YAML that is none', text: 'status: done\nresponse: He said: {"status":"done"}', reason: GUESS },

  { name: 'two strings side by side', text: '{"status":"done","response":"a" "b"}', reason: GUESS },
  { name: 'a key that is no name', text: '{"status":"done",response?:"x"}', reason: GUESS },
  { name: 'a number that would lose digits', text: '{"status":"done","a":12345678901234567890}', reason: GUESS },

  { name: 'quotes in a string not escaped', text: '{"status":"done","response":"say "hi", then"}', reason: GUESS },
  { name: 'an apostrophe not escaped', text: "{'status':'done','response':'it's so'}", reason: GUESS },
  { name: 'dots in place of a value', text: '{"status":"done","response":...}', reason: GUESS },
  { name: 'dots in place of the rest', text: '{"status":"done",...}', reason: GUESS },
  { name: 'a bare word as a value', text: '{"status":"done","response":yes}', reason: GUESS },
  { name: 'a comment right behind a string', text: '{"status":"done","response":"x" // "or"\n}', reason: GUESS },
  { name: 'an answer within a broken object', text: `{draft ${DONE}}`, reason: /inside another value/ },
  { name: 'an answer encoded twice', text: JSON.stringify(JSON.stringify(DONE)), reason: GUESS },

  { name: 'thinking that never closes', text: `<think>Perhaps ${DONE}? Or rather`, reason: /only thinking/ },
  { name: 'thinking only', text: `<think>${DONE}</think>`, reason: /only thinking/ },
  { name: 'a mark in thinking', text: '<think>fine</think>Working on it.\n<think>\n[Done]', reason: NO_OBJECT },
  { name: 'a mark in mid-sentence', text: 'I will write [Done] when STEP_DONE is due.', reason: NO_OBJECT },
  { name: 'a mark on an earlier line', text: '[Done]\nBut wait.', reason: NO_OBJECT },
  { name: 'a mark after a contract that fails', text: '{"status":"continue"}\n[Done]', reason: /^current_step: / },
  { name: 'a list of steps', text: '1. find\n2. book', reason: NO_OBJECT },
];

export const refusedPlans: RefusedCase[] = [
  { name: 'a refusal in prose', text: "I can't plan that - sorry.", reason: /nor a list of steps/ },
  { name: 'a status line that looks numbered', text: "404. That's an error.", reason: /nor a list/ },
  { name: 'a mark', text: '[Done]', reason: /nor a list/ },
  {
    name: 'a list beside an object that fails',
    text: '1. find\n2. book\n{"status":"plan","plan":["a"]}',
    reason: /^status: /,
  },
  { name: 'a list before a cut object', text: '1. find\n{"status":"planned","plan":["a"', reason: CUT },
  { name: 'dots in place of items', text: '{"status":"planned","plan":["a",...]}', reason: GUESS },
  { name: 'an item left out', text: '{"status":"planned","plan":["a",,"b"]}', reason: GUESS },
  { name: 'an empty step', text: '{"status":"planned","plan":["a"," "]}', reason: /^plan\.1: must not be empty$/ },
  { name: 'a control object', text: '{"control":"step_done"}', reason: /^status: / },
];

export const refusedReplans: RefusedCase[] = [
  { name: 'a mark without an answer', text: '[Done]', reason: /^response: / },
  { name: 'REPLAN', text: 'REPLAN', reason: NO_LIST },
  { name: 'a list of one', text: '1. find', reason: NO_LIST },
  { name: 'a list that ends in a question', text: 'Which one?\n1. find\n2. book', reason: NO_LIST },
  { name: 'a list after two lines', text: 'Booked.\nI found:\n1. a flight\n2. a hotel', reason: NO_LIST },
  { name: 'a control object', text: '{"control":"replan"}', reason: /^status: / },
  { name: 'replanned without work', text: '{"status":"replanned","plan":[]}', reason: /^plan: .*non-empty/ },
  { name: 'done without a response', text: '{"status":"done","response":" "}', reason: /^response: / },
];
