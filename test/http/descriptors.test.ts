import { expect, it } from 'vitest';
import { serviceLimitsWith } from '../../contracts/service-limits.ts';
import { withinDescriptors } from '../../src/http/descriptors.ts';
import { startHttpOn } from '../support/http/http-app.ts';
import { ask } from '../support/http/send-request.ts';
import { stubEngine } from '../support/http/stub-engine.ts';

const system = (files: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units\nMax open files            ${files}                 524288               files\n`;

it.each([
  ['1024', 720],
  ['90', 19],
  ['20', 16],
  ['1048576', 8_192],
  ['unlimited', 8_192],
])('of %s file descriptors connections take what leaves some for files and others', (files, connections) => {
  expect(withinDescriptors(serviceLimitsWith({}), system(files)).connections).toBe(connections);
});

it('takes as many connections as are configured where the system names no limit', () => {
  expect(withinDescriptors(serviceLimitsWith({ connections: 5 }), '').connections).toBe(5);
});

it.each(['EMFILE', 'ENFILE', 'EIO', 'ENOSPC'])(
  'says 503 where the system refuses a file with %s, and when to try again',
  async (code) => {
    const session = async () => {
      throw Object.assign(new Error(`${code}: refused, open '/secret/path'`), { code });
    };
    const { port } = await startHttpOn(stubEngine({ session }));
    const { status, headers, problem } = await ask(port, '/v1/sessions/s1/files');
    expect([status, problem.type, headers['retry-after']]).toEqual([
      503,
      '/problems/storage-unavailable',
      expect.any(String),
    ]);
    expect(problem.detail).not.toContain('secret');
  },
);
