import type { search as english } from '../en/search.ts';

export const search = {
  usage: 'internet_search <要搜索的内容>',
  missingQuery: (usage) => `缺少要搜索的内容。用法：${usage}`,
  queryTooLong: (max, usage) => `搜索内容超过 ${max} 个字符。用法：${usage}`,
  notConfigured:
    '没有配置网络搜索。请把 TRIPACT_SEARXNG_URL 设为 SearXNG 的地址，或设置 ANTHROPIC_API_KEY 使用 Anthropic 的网络搜索。',
  noSummary: '（没有摘要）',
  nothingFound: (query) => `没有找到与“${query}”有关的内容。`,
  searxng: {
    failed: (reason) => `SearXNG：${reason}`,
    jsonRefused: '它拒绝 json 格式（403）。请在它的 settings.yml 的 search.formats 中加入 "json"。',
    rateLimited: '它限制了请求频率（429）。请在它的 settings.yml 中关闭 server.limiter。',
    status: (status) => `它返回了状态码 ${status}。请检查 TRIPACT_SEARXNG_URL 和该实例。`,
    notSearchJson: '它的回答不是搜索 JSON。请确认 TRIPACT_SEARXNG_URL 指向 SearXNG。',
    silentEngines: (engines) => `它的搜索引擎没有给出结果（${engines.join('；')}）。`,
    otherHost: '它重定向到了另一台主机。请把 TRIPACT_SEARXNG_URL 设为它的实际地址。',
    timedOut: (seconds) => `它没有在 ${seconds} 秒内回答。`,
    unreachable: (host, detail) => `无法连接 ${host}（${detail}）。请检查 TRIPACT_SEARXNG_URL，并确认它在运行。`,
    noAnswer: '没有回答',
  },
  anthropic: {
    failed: (reason) => `Anthropic 网络搜索：${reason}`,
    unreadable: '无法读取它的回答。',
    keyRefused: (detail) => `密钥被拒绝（${detail}）。请检查 ANTHROPIC_API_KEY。`,
    notSupported: (detail) =>
      `该模型或服务器没有网络搜索（${detail}）。请设置 TRIPACT_SEARXNG_URL，改用 SearXNG 搜索。`,
    failedLater: (detail) => `${detail || '没有回答'}，请稍后再试。`,
    searchFailed: (code) => `搜索失败（${code}）。请换一种说法，或稍后再试。`,
    notSearched: (stopReason) => `模型没有搜索（停止原因 ${stopReason}）。请换一种说法。`,
    noMessage: '服务器返回的不是消息。请检查 ANTHROPIC_BASE_URL。',
    timedOut: (seconds) => `它没有在 ${seconds} 秒内回答。`,
  },
} satisfies typeof english;
