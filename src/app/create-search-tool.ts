import { madeOnce } from '../lib/once.ts';
import { createInternetSearchTool } from '../tools/internet-search/internet-search.ts';
import type { SearchProvider } from '../tools/internet-search/port.ts';
import { createSearxngProvider } from '../tools/internet-search/searxng.ts';
import type { OutsideTool } from '../tools/port.ts';
import type { Config } from './config/config.ts';

/** Anthropic's own search; its SDK is loaded at the first search. */
const anthropicSearch = (model: string, apiKey: string): SearchProvider => {
  const loaded = madeOnce(async (): Promise<SearchProvider> => {
    const { createAnthropicClient } = await import('../models/anthropic/client.ts');
    const { createAnthropicSearchProvider } = await import('../tools/internet-search/anthropic.ts');
    return createAnthropicSearchProvider({ client: createAnthropicClient({ apiKey }), model });
  });
  return { name: 'anthropic', search: async (query, call) => (await loaded()).search(query, call) };
};

/**
 * `internet_search` with the providers that the configuration names: SearXNG first, then Anthropic's own with a key. A server of
 * one's own speaks `/v1/messages` but has no web search, and is asked for nothing but the three contracts (SPEC 9).
 */
export const createSearchTool = ({ searxngUrl, model }: Pick<Config, 'searxngUrl' | 'model'>): OutsideTool => {
  const providers: SearchProvider[] = [];
  if (searxngUrl !== null) providers.push(createSearxngProvider({ baseUrl: searxngUrl }));
  if (model.kind === 'anthropic' && model.apiKey !== undefined && model.baseURL === undefined)
    providers.push(anthropicSearch(model.model, model.apiKey));
  return createInternetSearchTool({ providers });
};
