/** What the internet search reports. */
export const search = {
  usage: 'internet_search <words to search for>',
  missingQuery: (usage: string) => `The words to search for are missing. Usage: ${usage}`,
  queryTooLong: (max: number, usage: string) => `The query is longer than ${max} characters. Usage: ${usage}`,
  notConfigured:
    'No internet search is configured. Set TRIPACT_SEARXNG_URL to a SearXNG instance, or ANTHROPIC_API_KEY to use the web search of Anthropic.',
  noSummary: '(no summary)',
  nothingFound: (query: string) => `Nothing was found for "${query}".`,
  searxng: {
    failed: (reason: string) => `SearXNG: ${reason}`,
    jsonRefused: 'it refuses the json format (403). Add "json" to search.formats in its settings.yml.',
    rateLimited: 'it limits how often it may be asked (429). Turn off server.limiter in its settings.yml.',
    status: (status: number) => `it answered with status ${status}. Check TRIPACT_SEARXNG_URL and the instance.`,
    notSearchJson: 'its answer is not the search JSON. Check that TRIPACT_SEARXNG_URL is a SearXNG.',
    silentEngines: (engines: string[]) => `its search engines gave nothing (${engines.join('; ')}).`,
    otherHost: 'it redirects to another host. Set TRIPACT_SEARXNG_URL to the address where it really is.',
    timedOut: (seconds: number) => `it gave no answer within ${seconds} s.`,
    unreachable: (host: string, detail: string) =>
      `${host} could not be reached (${detail}). Check TRIPACT_SEARXNG_URL and that it runs.`,
    noAnswer: 'no answer',
  },
  anthropic: {
    failed: (reason: string) => `Anthropic web search: ${reason}`,
    unreadable: 'the answer could not be read.',
    keyRefused: (detail: string) => `the key was refused (${detail}). Check ANTHROPIC_API_KEY.`,
    notSupported: (detail: string) =>
      `this model or server has no web search (${detail}). Set TRIPACT_SEARXNG_URL to search with SearXNG instead.`,
    failedLater: (detail: string) => `${detail || 'no answer'} Try again later.`,
    searchFailed: (code: string) => `it failed with ${code}. Reword the query or try later.`,
    notSearched: (stopReason: string | null) =>
      `the model did not search (stop reason ${stopReason}). Reword the query.`,
    noMessage: 'the server gave something else than a message. Check ANTHROPIC_BASE_URL.',
    timedOut: (seconds: number) => `it gave no answer within ${seconds} s.`,
  },
};
