import type { RefusedCase } from './read-answer-case.ts';

const DONE = '{"status":"done"}';
const CUT = /never closes, so the answer was cut off/;
const AMBIGUOUS = /ambiguous/;
const GUESS = /to repair it would be a guess/;
const ROUNDED = /more digits than JSON keeps: write it as a string/;
const NO_LIST = /a list in prose is no plan here/;
const QUOTED = /in the middle of a line of text/;
const BEHIND = /text stands behind the action/;
const BESIDE = /a mark stands beside the action/;
const REFUND =
  '{"status":"continue","current_step":"pay back","next_action":{"tool":"refund","input":"{\\"order\\":17}"}}';
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
  { name: 'YAML with a number that would lose digits', text: 'status: done\na: 12345678901234567890', reason: ROUNDED },
  {
    name: 'YAML of more than 8 KB',
    text: `status: done\n${Array.from({ length: 16_000 }, (_, i) => `${i.toString(36)}:`).join('\n')}`,
    reason: /YAML in the answer is longer than 8192/,
  },
  { name: 'YAML that is none', text: 'status: done\nresponse: He said: {"status":"done"}', reason: GUESS },

  { name: 'two strings side by side', text: '{"status":"done","response":"a" "b"}', reason: GUESS },
  { name: 'a key that is no name', text: '{"status":"done",response?:"x"}', reason: GUESS },
  ...['12345678901234567890', '-725653563933458433', '9007199254740993', '725653563933458433.5', '1e999'].map(
    (number) => ({
      name: `the number ${number}`,
      text: `{"status":"done","a":[${number}]}`,
      reason: ROUNDED,
    }),
  ),
  {
    name: 'an input with a number that would lose digits',
    text: '{"status":"continue","current_step":"a","next_action":{"tool":"x","input":{"id":725653563933458433}}}',
    reason: ROUNDED,
  },

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

  { name: 'an action quoted in a sentence', text: `The page wants ${REFUND}. I will not do that.`, reason: QUOTED },
  {
    name: 'an action quoted in a sentence above a mark',
    text: `The page tries to make me answer ${REFUND}. I will not do that.\n[Done]`,
    reason: QUOTED,
  },
  { name: 'an action at the end of a sentence', text: `I decide: ${REFUND}`, reason: QUOTED },
  { name: 'an action in a Chinese sentence', text: `网页让我回答${REFUND}，我不会照做。`, reason: QUOTED },
  { name: 'an action in a list', text: `1. ${REFUND}`, reason: QUOTED },
  { name: 'an action in a quoted line', text: `The page says:\n> ${REFUND}`, reason: QUOTED },
  {
    name: 'an action over lines that begins in a sentence',
    text: `It says ${REFUND.replaceAll(',', ',\n')}`,
    reason: QUOTED,
  },
  { name: 'an action in tags in a sentence', text: `It says <answer>${REFUND}</answer>`, reason: QUOTED },
  { name: 'a control object quoted in a sentence', text: 'It says {"control":"step_done"}.\n[Done]', reason: QUOTED },
  ...[
    'I will not do that.',
    '我不会照做。',
    '```\nNo.\n```',
    '{"note":1}',
    '[Done]',
    '<STEP_DONE>',
    '[REPLAN]',
    '完成',
  ].map((behind) => ({ name: `an action with ${behind} behind it`, text: `${REFUND}\n${behind}`, reason: BEHIND })),
  { name: 'an action in a fence with prose behind', text: `\`\`\`json\n${REFUND}\n\`\`\`\nBut no.`, reason: BEHIND },
  {
    name: 'an action as YAML with prose behind',
    text: '```yaml\nstatus: continue\ncurrent_step: pay\nnext_action:\n  tool: refund\n  input: "17"\n```\nBut no.',
    reason: BEHIND,
  },
  { name: 'an action repeated in a sentence behind it', text: `${REFUND}\nI would say ${REFUND}`, reason: BEHIND },
  ...[
    '[Done]',
    'I am blocked.\n[Blocked]',
    '完成',
    '✅ STEP_DONE',
    '<STEP_DONE>',
    'REPLAN: no login',
    '[完成]\nSent.',
  ].map((before) => ({ name: `an action with ${before} before it`, text: `${before}\n${REFUND}`, reason: BESIDE })),
  { name: 'a mark above an action in a fence', text: `[Done]\n\`\`\`json\n${REFUND}\n\`\`\``, reason: BESIDE },

  ...[
    'This is not [Done]',
    "It isn't [Done].",
    'It is not yet **[Done]**',
    'There is no need to [REPLAN]',
    'I will then answer [Done]',
    '这一步还没有[完成]',
    '不需要【重新规划】',
    '[Done] is not what I can say',
    '[完成]是不对的',
    '❌ [Done]',
    'Not done.',
    '未完成',
    '[未完成]',
    '[Done]\nBut the mail came back.',
    '[完成]\n不过邮件被退回了。',
    '[Done]\nThe mail came back.\n[Blocked]',
  ].map((text) => ({ name: `no mark: ${text.replaceAll('\n', ' / ')}`, text, reason: NO_OBJECT })),
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
  {
    name: 'an item without a step',
    text: '{"status":"planned","plan":[{"id":"a","why":"b"}]}',
    reason: /^plan\.0\.step: /,
  },
  { name: 'a plan as text', text: '{"status":"planned","plan":"find, then book"}', reason: /^plan: / },
  { name: 'a list of answers', text: '[{"status":"planned","plan":["a"]}]', reason: /inside another value/ },
  { name: 'an empty step', text: '{"status":"planned","plan":["a"," "]}', reason: /^plan\.1: must not be empty$/ },
  { name: 'a control object', text: '{"control":"step_done"}', reason: /^status: / },
  ...[
    "Sorry, I can't do that:\n- it is not allowed\n- it is not safe",
    "I'm unable to plan this because:\n1. there is no tool\n2. there is no time",
    '抱歉，我不能这样做，原因如下：\n1. 没有权限\n2. 没有工具',
    'upstream connect error or disconnect. Possible reasons:\n- the server is down\n- the network is slow',
    'The service is unavailable:\n* try again later\n* ask the operator',
    '服务器错误，请：\n1. 稍后再试\n2. 联系管理员',
    "- I can't help with that\n- It is against the rules",
    'I have finished the work:\n1. Found order 17\n2. Paid 20 euros back',
    '我已经完成了：\n1. 找到订单 17\n2. 退款 20 欧元',
    '1. Find flights.\n2. Book the cheap',
    '1. Find flights\n2. Book the',
    '1. Find flights\n2. Book one\n3.',
    '- find flights\n- book one\n-',
    '1. Find flights\n2. Book one (the cheap',
    '1. 查询航班\n2. 预订酒店和',
    '["Find flights","Book',
    '["Find flights"] and so on',
  ].map((text) => ({ name: `no plan: ${text.replaceAll('\n', ' / ')}`, text, reason: /nor a list/ })),
];

export const refusedReplans: RefusedCase[] = [
  { name: 'a mark without an answer', text: '[Done]', reason: /^response: / },
  { name: 'REPLAN', text: 'REPLAN', reason: NO_LIST },
  { name: 'a list of one', text: '1. find', reason: NO_LIST },
  { name: 'a list that ends in a question', text: 'Which one?\n1. find\n2. book', reason: NO_LIST },
  ...[
    'I have finished the work:\n1. Found order 17\n2. Paid 20 euros back',
    '我已经完成了：\n1. 找到订单 17\n2. 退款 20 欧元',
    'Still to do:\n- book\n- pay',
    'Booked.\nI found:\n1. a flight\n2. a hotel',
    'STEP_DONE: Booked.\n1. pay\n2. tell Anna',
    '[Step] pay\n[Step] tell Anna\n[Done]',
  ].map((text) => ({ name: `a list: ${text.replaceAll('\n', ' / ')}`, text, reason: NO_LIST })),
  { name: 'a control object', text: '{"control":"replan"}', reason: /^status: / },
  { name: 'a plan and a response without a status', text: '{"plan":["a"],"response":"x"}', reason: /^status: / },
  { name: 'a response without a status', text: '{"plan":[],"response":"x"}', reason: /^status: / },
  { name: 'an empty list', text: '[]', reason: /^status: / },
  { name: 'replanned without work', text: '{"status":"replanned","plan":[]}', reason: /^plan: .*non-empty/ },
  { name: 'done without a response', text: '{"status":"done","response":" "}', reason: /^response: / },
];
