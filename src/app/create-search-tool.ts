import type { Config } from '../config.ts';
import { createAnthropicClient } from '../models/anthropic/client.ts';
import { createAnthropicSearchProvider } from '../tools/internet-search/anthropic.ts';
import { createInternetSearchTool } from '../tools/internet-search/internet-search.ts';
import type { SearchProvider } from '../tools/internet-search/port.ts';
import { createSearxngProvider } from '../tools/internet-search/searxng.ts';
import type { OutsideTool } from '../tools/port.ts';

/** `internet_search` with the providers that the configuration names: SearXNG first, then Anthropic's own with a key. */
export const createSearchTool = ({ searxngUrl, model }: Pick<Config, 'searxngUrl' | 'model'>): OutsideTool => {
  const providers: SearchProvider[] = [];
  if (searxngUrl !== null) providers.push(createSearxngProvider({ baseUrl: searxngUrl }));
  if (model.kind === 'anthropic' && model.apiKey !== undefined) {
    const { apiKey, baseURL } = model;
    const client = createAnthropicClient({ apiKey, ...(baseURL !== undefined && { baseURL }) });
    providers.push(createAnthropicSearchProvider({ client, model: model.model }));
  }
  return createInternetSearchTool({ providers });
};
