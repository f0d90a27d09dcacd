import type { z } from 'zod';
import type * as english from '../en/models.ts';

export const modelReply = {
  tooLong: (max) => `回答超过 ${max} 个字符`,
  empty: '回答是空的',
  webPage: '回答是网页，不是 JSON 对象',
  onlyThinking: '回答只有思考过程',
  neitherObjectNorList: '回答里既没有 JSON 对象，也没有步骤列表',
  neitherObjectNorMark: '回答里既没有 JSON 对象，也没有标记',
  neitherObjectNorMarkListIsNoPlan: '回答里既没有 JSON 对象，也没有标记；这里文字中的列表不算计划：请用 JSON 对象回答',
  inProse: 'JSON 对象处在一行文字中间，可能是引用：请另起一行写自己的对象',
  textBehindAction: '动作后面还有文字：请以 JSON 对象结束回答',
  markBesideAction: '动作旁边有标记：两者只能有一个',
  yamlTooLong: (max) => `回答里的 YAML 超过 ${max} 个字符：请用 JSON 回答`,
  ambiguous: '回答有歧义：其中有几个不同的 JSON 对象',
  notBalanced: '回答里的大括号不配对',
  unreadable: (why) => `回答里的 JSON 无法读取：${why}`,
  fault: {
    nested: '它处在另一个值之中',
    cutOff: '它没有结束，回答被截断了',
    guess: '它不是有效的 JSON，修复只能靠猜测',
    roundedNumber: '其中有位数超出 JSON 精度的数字：请写成字符串',
    doubleBackslash: '其中有 JSON 不认识的反斜杠：请把字符串里的每个反斜杠写成两个',
    repeatedKey: '同一个键出现两次',
    reservedKey: (key) => `不允许使用键“${key}”`,
    tooDeep: (max) => `它的嵌套超过 ${max} 层`,
    bracketsDoNotMatch: '它的括号不配对',
  },
  unknownControl: 'control：只能是 "step_done"、"blocked" 或 "replan"',
  noCall: '消息里没有调用；如果这段文字就是给用户的回答，请调用 finish 并省略 response：会直接采用这段文字',
  notDue: (name: string, due: string) => `现在不能调用 ${name}：${due}`,
  due: {
    plan: '请调用 plan；只有一步的任务可以直接调用工具、ask_user 或 finish',
    thought: '请调用工具、ask_user 或 item_done',
    replan: '请调用 finish，或者用 plan 给出剩下的工作；调用工具表示按原计划继续',
  },
  badArguments: (name: string, why: string | null) =>
    why === null ? `${name} 的参数不是 JSON 对象` : `${name} 的参数无法采用：${why}`,
  planTooLong: (max) => `plan：最多 ${max} 项`,
  expected: (types) => `应为 ${types.join(' 或 ')} 类型`,
  field: (path, problem) => `${path}：${problem}`,
  problems: (listed, more) => (more > 0 ? `${listed.join('；')}；另有 ${more} 处` : listed.join('；')),
} satisfies typeof english.modelReply;

export const rejections = {
  truncated: '回答在 token 上限处被截断',
  refused: '模型拒绝回答',
  empty: '回答是空的',
  only_reasoning: '回答为空：全部内容都在推理部分，而推理部分不会被读取',
  tool_use: '应给出约定的 JSON，回答却是工具调用',
  statusNotAllowed: (status, allowed) => `status：现在不允许“${status}”，只允许 ${allowed.join(' 或 ')}`,
  toolNotAllowed: (tool, allowed) =>
    `next_action.tool：这里不允许“${tool}”，${allowed.length === 0 ? '不能使用任何工具' : `只允许 ${allowed.join('、')}`}`,
  onlyReading: (tool, allowed) =>
    `next_action.tool：“${tool}”会改变内容，而用户还没有同意计划；在此之前${allowed.length === 0 ? '不能使用任何工具' : `只允许 ${allowed.join('、')}`}。请用已查到的内容结束这一步，再计划其余工作`,
  itemTools: (id, tools, names) =>
    `plan：步骤“${id}”没有可用的工具（${tools.join('、')}）；现有工具：${names.join('、')}`,
  statusRequires: (status, field) => `status 为“${status}”时必须有 ${field}`,
  outcomeWithoutDone: 'outcome：只有 status 为“done”时才能有',
  optionsWithoutAsking: 'options：只有状态“ask_user”才有',
  moreActionsWithoutContinue: 'more_actions：只有状态“continue”才有',
  toolNotBeside: (tool, allowed) =>
    `more_actions：“${tool}”必须单独调用；${allowed.length === 0 ? '没有工具可以同时调用' : `只有 ${allowed.join('、')} 可以同时调用`}`,
  tooManyAtOnce: (max) => `more_actions：现在一次最多 ${max} 个动作`,
  repeatedQuestion: 'question：用户刚刚回答过这个问题',
  doneRequiresResponse: 'status 为“done”时必须有 response',
  doneRequiresAnswer: 'answer：status 为“done”时必须有符合其 schema 的对象',
  allCompleted: 'plan：其中的步骤都已完成',
  duplicateId: (id) => `plan：编号“${id}”用了两次`,
  unknownDependency: (id, dependency) => `plan：步骤“${id}”依赖“${dependency}”，而本任务没有这个步骤`,
  cycle: 'plan：依赖关系构成循环',
} satisfies typeof english.rejections;

const rules = {
  notBlank: () => '不能为空',
  statusRequires: (status: string, field: string) => `状态“${status}”必须有 ${field}`,
  statusLeavesNull: (status: string, field: string) => `状态“${status}”的 ${field} 必须为空`,
  replannedRequiresPlan: () => '状态“replanned”必须有非空的计划',
  doneRequiresResponse: () => '状态“done”必须有 response',
  oneOf: (one: string, other: string) => `必须有 ${one} 或 ${other}`,
  planId: () => '要有 1 到 64 个字母、数字、_、. 或 -，并且不能只有数字',
} satisfies typeof english.validation.rules;

const units: Record<string, string> = { string: ' 个字符', array: ' 项' };

const ruleText = (params: Record<string, unknown> | undefined): string => {
  const named = Object.entries(rules).find(([name]) => name === params?.['rule']);
  const args = Array.isArray(params?.['args']) ? params['args'].map(String) : [];
  return named === undefined ? '不符合要求' : (named[1] as (...given: string[]) => string)(...args);
};

const issueText = (issue: z.core.$ZodIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return `应为 ${issue.expected} 类型`;
    case 'invalid_value':
      return `只能是 ${issue.values.map(String).join('、')}`;
    case 'too_small':
      return issue.minimum === 1 && issue.origin in units
        ? '不能为空'
        : `不能小于 ${issue.minimum}${units[issue.origin] ?? ''}`;
    case 'too_big':
      return `不能超过 ${issue.maximum}${units[issue.origin] ?? ''}`;
    case 'invalid_format':
      return '格式不正确';
    case 'unrecognized_keys':
      return `没有 ${issue.keys.join('、')} 这个字段`;
    case 'custom':
      return ruleText(issue.params);
    default:
      return 'options' in issue && issue.options !== undefined
        ? `只能是 ${issue.options.map(String).join('、')}`
        : '不符合要求';
  }
};

export const validation = { issue: issueText, rules } satisfies typeof english.validation;
