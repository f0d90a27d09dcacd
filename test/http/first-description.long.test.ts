import { expect, it } from 'vitest';
import { startWatchedService } from '../support/service/watched-service.ts';

/** Callers that ask first, at the same moment. */
const CALLERS = 20;

/** Times that it is measured again: a collection of garbage on a busy machine takes as long as a block. */
const RETRIES = 2;

it.each(['/openapi.json', '/docs', '/docs/yaml'])(
  'the first to ask for %s block no other request',
  {
    retry: RETRIES,
  },
  async (path) => {
    const { url, blockedSince, says } = await startWatchedService({ env: { TRIPACT_LOG_LEVEL: 'debug' } });
    // The start's own work is over then.
    await says(/what the first turns use is loaded/);
    const began = Date.now();
    const bodies = await Promise.all(
      Array.from({ length: CALLERS }, async () => {
        const response = await fetch(`${url}${path}`);
        expect(response.status).toBe(200);
        return response.text();
      }),
    );
    expect(new Set(bodies).size).toBe(1);
    // Answered after the end of the last turn that made anything is written.
    await fetch(`${url}/healthz`);
    expect(blockedSince(began)).toEqual([]);
  },
);
