import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { MEASURED_AGAIN } from '../support/longest-block.ts';

/** In a process that has loaded nothing of it. */
const SCRIPT = `
  const { longestBlock } = await import(${JSON.stringify(import.meta.resolve('../support/longest-block.ts'))});
  const { loadFiles } = await import(${JSON.stringify(import.meta.resolve('../../src/event-loop/load-files.ts'))});
  console.log(await longestBlock(() => loadFiles('@anthropic-ai/sdk')));
  const began = process.threadCpuUsage();
  await import('@anthropic-ai/sdk');
  const { user, system } = process.threadCpuUsage(began);
  console.log((user + system) / 1_000);
`;

it('a package of many files is loaded a few files in each turn of the event loop, and needs no loading then', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', SCRIPT]);
  const [longest = Number.NaN, afterwards = Number.NaN] = stdout.trim().split('\n').map(Number);
  // In one piece it takes 130 to 190 ms.
  expect(longest).toBeLessThan(100);
  expect(afterwards).toBeLessThan(10);
});

/** In a process that has sent no request. */
const FIRST_REQUEST = `
  const { longestBlock } = await import(${JSON.stringify(import.meta.resolve('../support/longest-block.ts'))});
  const { createPacedFetch } = await import(${JSON.stringify(import.meta.resolve('../../src/paced-fetch.ts'))});
  const server = (await import('node:http')).createServer((request, response) => response.end());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  console.log(await longestBlock(() => createPacedFetch()('http://127.0.0.1:' + server.address().port)));
  process.exit();
`;

it(
  'the first request to an MCP server or an issuer loads its client a few files in each turn',
  MEASURED_AGAIN,
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', FIRST_REQUEST]);
    // In one piece it takes 57 to 79 ms.
    expect(Number(stdout)).toBeLessThan(50);
  },
);
