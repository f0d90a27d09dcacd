import { loadFiles } from '../event-loop/load-files.ts';
import { loadInPieces } from '../http/load-in-pieces.ts';
import { loadHttpClient } from '../paced-fetch.ts';
import type { ModelConfig } from './config/model-config.ts';

/** Load the packages that a model of each kind is asked with, in pieces: in one piece each of them would take 60 to 190 ms. */
export const modelPackages: Readonly<Record<ModelConfig['kind'], readonly (() => Promise<void>)[]>> = {
  anthropic: [loadHttpClient, () => loadFiles('@anthropic-ai/sdk')],
  'openai-compatible': [
    loadHttpClient,
    () => loadInPieces('ai', import.meta.url),
    () => loadInPieces('@ai-sdk/openai-compatible', import.meta.url),
  ],
  offline: [],
};
