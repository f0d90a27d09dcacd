import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createSampleServer } from './sample-server.ts';

/**
 * The sample server as a program, on standard input and output. `legacy` only supports the 2025 protocol; `strict` also
 * ends at anything before `initialize`; `hostile` also has hostile tools. With `MORE_TOOLS` it has one more tool as
 * soon as that file exists.
 */
const [kind] = process.argv.slice(2);
const options = { hasMore: existsSync(process.env['MORE_TOOLS'] ?? ''), isHostile: kind === 'hostile' };
if (kind === 'strict')
  createInterface(process.stdin).once('line', (line) => {
    if (JSON.parse(line).method !== 'initialize') process.exit(1);
  });
if (kind === 'legacy' || kind === 'strict') await createSampleServer(options).connect(new StdioServerTransport());
else serveStdio(() => createSampleServer(options));
console.error(`sample server started with the token ${process.env['SAMPLE_TOKEN']}`);
