import type { models as english } from '../en/models.ts';

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
  streamUnfinished: (end) => `数据流结束时没有 ${end}`,
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
} satisfies typeof english;
