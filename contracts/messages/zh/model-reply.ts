import type { modelReply as english, JsonKind } from '../en/model-reply.ts';

const kinds: Record<JsonKind, string> = {
  null: '空值',
  array: '数组',
  string: '字符串',
  number: '数字',
  boolean: '布尔值',
  object: '对象',
};

export const modelReply = {
  tooLong: (max) => `回答超过 ${max} 个字符`,
  empty: '回答是空的',
  webPage: '回答是网页，不是 JSON 对象',
  onlyThinking: '回答只有思考过程',
  notAnObject: (kind) => `回答是 JSON ${kinds[kind]}，不是 JSON 对象`,
  neitherObjectNorList: '回答里既没有 JSON 对象，也没有步骤列表',
  neitherObjectNorMark: '回答里既没有 JSON 对象，也没有标记',
  neitherObjectNorListNorMark: '回答里没有 JSON 对象、步骤列表或标记',
  ambiguous: '回答有歧义：其中有几个不同的 JSON 对象',
  notBalanced: '回答里的大括号不配对',
  unreadable: (why) => `回答里的 JSON 无法读取：${why}`,
  fault: {
    nested: '它处在无效的 JSON 之中',
    cutOff: '它没有结束，回答被截断了',
    guess: '它不是有效的 JSON，修复只能靠猜测',
    doubleBackslash: '其中有 JSON 不认识的反斜杠：请把字符串里的每个反斜杠写成两个',
    repeatedKey: '同一个键出现两次',
    reservedKey: (key) => `不允许使用键“${key}”`,
    tooDeep: (max) => `它的嵌套超过 ${max} 层`,
    bracketsDoNotMatch: '它的括号不配对',
  },
  unknownControl: 'control：只能是 "step_done"、"blocked" 或 "replan"',
  planTooLong: (max) => `plan：最多 ${max} 项`,
  expected: (types) => `应为 ${types.join(' 或 ')} 类型`,
  field: (path, problem) => `${path}：${problem}`,
  problems: (listed, more) => (more > 0 ? `${listed.join('；')}；另有 ${more} 处` : listed.join('；')),
} satisfies typeof english;
