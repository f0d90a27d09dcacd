import { expect, it } from 'vitest';
import { startService } from '../support/service/service.ts';

const ADDRESSES = ['/v1/chat/completions', '/a2a', '/mcp'];

const shapes = {
  'many keys': `{${Array.from({ length: 150_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
  'many arrays': `[${'[],'.repeat(500_000)}[]]`,
  'deep arrays': '['.repeat(1_500_000),
};

it('a body of too many values is refused in the form of its protocol, before it is parsed', async () => {
  const service = await startService([]);
  for (const url of ADDRESSES)
    for (const body of Object.values(shapes)) {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(service.url + url, { method: 'POST', headers, body });
      expect([response.status, await response.json()]).toMatchObject([413, { error: {} }]);
    }
});
