import type { z } from 'zod';
import type * as english from '../en/models.ts';

export const models = {
  inCode: { model: 'tripact.config.ts 里的模型', key: '提供方的 API 密钥', url: '提供方的 baseURL' },
  gaveUp: (reason, tries) => `${reason}；尝试 ${tries} 次后放弃`,
  withRemedy: (reason, remedy) => `${reason}。${remedy}`,

  tooSlow: (seconds) => `超过了 ${seconds} 秒`,
  connectionFailed: (code) => (code === null ? '连接失败' : `连接失败（${code}）`),
  refused: (status, said) => `服务器返回 ${status}：${said}`,
  notMade: (said) => `无法发出请求：${said}`,
  htmlPage: '一个 HTML 页面',
  stopped: (ms) => `回答中断了 ${ms} 毫秒`,
  brokeOff: '回答在传输途中断开',
  tooManyBytes: (max) => `回答超过 ${max} 字节`,
  emptyBody: '服务器返回 200，但内容为空',
  htmlBody: '服务器返回 200，但内容是一个 HTML 页面',
  brokenJson: '服务器返回 200，但 JSON 已损坏',
  noMessage: '服务器返回 200，但内容不是一条消息',
  failedInside: '服务器以错误结束了回答',

  raiseTimeout: ({ url }) => `请调高 TRIPACT_MODEL_TIMEOUT_MS，或检查 ${url}。`,
  checkServer: ({ url }) => `请检查 ${url}，或稍后再试。`,
  checkNetwork: ({ url }) => `请检查 ${url} 和网络。`,
  checkSettings: ({ url, key }) => `请检查 ${url} 和 ${key}。`,
  raiseSpendLimit: '请在提供方的控制台提高消费上限，或等到它重置。',
  tryLater: '服务器自身出了问题，请稍后再试。',
  raiseRateLimit: ({ key }) => `请稍后再试，或提高 ${key} 的速率上限。`,
  waitFor: (seconds) => `服务器要求等待 ${seconds} 秒，请到时再试。`,
  largerContext: ({ model }) => `请把 ${model} 换成上下文更大的模型，或开始一个新任务。`,
  checkModel: ({ model, url }) => `请检查 ${model} 是否为 ${url} 所指服务器上的模型。`,
  checkKey: ({ key }) => `请检查 ${key}。`,
  checkBilling: ({ key }) => `请检查 ${key} 所属账户的付款情况。`,
  checkRights: ({ key, model }) => `请检查 ${key} 是否可以使用 ${model} 指定的模型。`,
  checkPath: ({ model, url }, end) => {
    if (end === null) return `请检查 ${model} 和 ${url}。`;
    return `请检查 ${model}，以及 ${url} ${end === 'v1' ? '是否止于 /chat/completions 之前（通常以 /v1 结尾）' : '的结尾是否没有 /v1'}。`;
  },
  requestTooLarge: ({ url }) => `请求对 ${url} 所指的服务器来说太大，请开始一个新任务。`,
} satisfies typeof english.models;

export const modelReply = {
  tooLong: (max) => `回答超过 ${max} 个字符`,
  empty: '回答是空的',
  webPage: '回答是网页，不是 JSON 对象',
  onlyThinking: '回答只有思考过程',
  neitherObjectNorList: '回答里既没有 JSON 对象，也没有步骤列表',
  neitherObjectNorMark: '回答里既没有 JSON 对象，也没有标记',
  neitherObjectNorListNorMark: '回答里没有 JSON 对象、步骤列表或标记',
  ambiguous: '回答有歧义：其中有几个不同的 JSON 对象',
  notBalanced: '回答里的大括号不配对',
  unreadable: (why) => `回答里的 JSON 无法读取：${why}`,
  fault: {
    nested: '它处在另一个值之中',
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
} satisfies typeof english.modelReply;

export const rejections = {
  truncated: '回答在 token 上限处被截断',
  refused: '模型拒绝回答',
  empty: '回答是空的',
  tool_use: '应给出约定的 JSON，回答却是工具调用',
  statusNotAllowed: (status, allowed) => `status：现在不允许“${status}”，只允许 ${allowed.join(' 或 ')}`,
  toolNotAllowed: (tool, allowed) =>
    `next_action.tool：这里不允许“${tool}”，${allowed.length === 0 ? '不能使用任何工具' : `只允许 ${allowed.join('、')}`}`,
  statusRequires: (status, field) => `status 为“${status}”时必须有 ${field}`,
  outcomeWithoutDone: 'outcome：只有 status 为“done”时才能有',
  optionsWithoutAsking: 'options：只有状态“ask_user”才有',
  repeatedQuestion: 'question：用户刚刚回答过这个问题',
  doneRequiresResponse: 'status 为“done”时必须有 response',
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
  titleOrSteps: () => '必须有标题或步骤',
  statusOrNotes: () => '必须有状态或备注',
  stepStatusOrNotes: () => '必须有步骤的状态或备注',
  planId: () => '要有 1 到 64 个字母、数字、_、. 或 -，并且不能只有数字',
} satisfies typeof english.validation.rules;

const units: Record<string, string> = { string: ' 个字符', array: ' 项', set: ' 项', map: ' 项' };

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
    case 'not_multiple_of':
      return `必须是 ${issue.divisor} 的倍数`;
    case 'unrecognized_keys':
      return `没有 ${issue.keys.join('、')} 这个字段`;
    case 'invalid_union':
      return 'options' in issue && issue.options !== undefined
        ? `只能是 ${issue.options.map(String).join('、')}`
        : '不符合要求';
    case 'invalid_key':
    case 'invalid_element':
      return '不符合要求';
    case 'custom':
      return ruleText(issue.params);
    default:
      return issue satisfies never;
  }
};

export const validation = { issue: issueText, rules } satisfies typeof english.validation;
