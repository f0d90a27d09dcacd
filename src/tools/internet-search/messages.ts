import type { Language } from '../../../contracts/text.ts';

const english = {
  summary: 'Searches the web and gives the top 3 results as title, summary and url.',
  usage: 'internet_search <words to search for>',
  missingQuery: (usage: string) => `The words to search for are missing. Usage: ${usage}`,
  notConfigured:
    'No internet search is configured. Set TRIPACT_SEARXNG_URL to a SearXNG instance, or ANTHROPIC_API_KEY to use the web search of Anthropic.',
  noSummary: '(no summary)',
  nothingFound: (query: string) => `Nothing was found for "${query}".`,
  fault: (source: string, reason: string) => `${source}: ${reason}`,
  timedOut: (seconds: number) => `it gave no answer within ${seconds} s.`,
  searxng: {
    refused: (status: number) =>
      `it answered with status ${status}. Check TRIPACT_SEARXNG_URL, and its settings.yml: "json" in search.formats (403), server.limiter off (429).`,
    notSearchJson: 'its answer is not the search JSON. Check that TRIPACT_SEARXNG_URL is a SearXNG.',
    silentEngines: (engines: string[]) => `its search engines gave nothing (${engines.join('; ')}).`,
    unreachable: (host: string, detail: string) =>
      `${host} could not be reached (${detail}). Check TRIPACT_SEARXNG_URL and that it runs.`,
  },
  anthropic: {
    keyRefused: (detail: string) => `the key was refused (${detail}). Check ANTHROPIC_API_KEY.`,
    notSupported: (detail: string) =>
      `this model or server has no web search (${detail}). Set TRIPACT_SEARXNG_URL to search with SearXNG instead.`,
    failedLater: (detail: string) => `${detail || 'no answer'} Try again later.`,
    searchFailed: (code: string) => `it failed with ${code}. Reword the query or try later.`,
    notSearched: (stopReason: string | null) =>
      `the model did not search (stop reason ${stopReason}). Reword the query.`,
  },
};

const chinese: typeof english = {
  summary: '搜索网络，给出前 3 条结果的标题、摘要和网址。',
  usage: 'internet_search <要搜索的内容>',
  missingQuery: (usage) => `缺少要搜索的内容。用法：${usage}`,
  notConfigured:
    '没有配置网络搜索。请把 TRIPACT_SEARXNG_URL 设为 SearXNG 的地址，或设置 ANTHROPIC_API_KEY 使用 Anthropic 的网络搜索。',
  noSummary: '（没有摘要）',
  nothingFound: (query) => `没有找到与“${query}”有关的内容。`,
  fault: (source, reason) => `${source}：${reason}`,
  timedOut: (seconds) => `它没有在 ${seconds} 秒内回答。`,
  searxng: {
    refused: (status) =>
      `它返回了状态码 ${status}。请检查 TRIPACT_SEARXNG_URL 和它的 settings.yml：search.formats 须有 "json"（403），关闭 server.limiter（429）。`,
    notSearchJson: '它的回答不是搜索 JSON。请确认 TRIPACT_SEARXNG_URL 指向 SearXNG。',
    silentEngines: (engines) => `它的搜索引擎没有给出结果（${engines.join('；')}）。`,
    unreachable: (host, detail) => `无法连接 ${host}（${detail}）。请检查 TRIPACT_SEARXNG_URL，并确认它在运行。`,
  },
  anthropic: {
    keyRefused: (detail) => `密钥被拒绝（${detail}）。请检查 ANTHROPIC_API_KEY。`,
    notSupported: (detail) =>
      `该模型或服务器没有网络搜索（${detail}）。请设置 TRIPACT_SEARXNG_URL，改用 SearXNG 搜索。`,
    failedLater: (detail) => `${detail || '没有回答'}，请稍后再试。`,
    searchFailed: (code) => `搜索失败（${code}）。请换一种说法，或稍后再试。`,
    notSearched: (stopReason) => `模型没有搜索（停止原因 ${stopReason}）。请换一种说法。`,
  },
};

export const searchMessages = (language: Language): typeof english => (language === 'zh' ? chinese : english);
