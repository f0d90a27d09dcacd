// Tripact in this process, with its defaults, behind the same API as the plain loop.

import { createTripact, defineConfig } from '../../../src/tripact.ts';
import type { Open } from './agent.ts';

export const openWith =
  (settings: Record<string, string>): Open =>
  async ({ dir, tools, model }) => {
    const tripact = await createTripact({
      env: {
        PATH: process.env['PATH'],
        TRIPACT_DATA_DIR: dir,
        TRIPACT_LOG_LEVEL: 'error',
        TRIPACT_MODEL: 'anthropic:scripted',
        ANTHROPIC_API_KEY: 'none',
        ANTHROPIC_BASE_URL: model,
        ...settings,
      },
      config: defineConfig({ mcpServers: { bfcl: { url: tools } } }),
    });
    return {
      turn: async (input) => {
        const turn = await tripact.turn({ session: 'dialogue', input });
        if (turn.status !== 'answered') throw new Error(`the turn is ${turn.status}: ${turn.output}`);
      },
      close: () => tripact.close(),
    };
  };
