import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RESERVED_NAMES } from '../../contracts/calls.ts';
import { mcpToolName } from '../../src/tools/mcp/open-mcp-servers.ts';

it.each([
  ['files', 'read_file', [], [], /^files_read_file$/],
  ['files', 'read file', [], [], /^files_read_file_[0-9a-f]{6}$/],
  ['files', '', [], [], /^files__[0-9a-f]{6}$/],
  ['files', '../../etc', [], [], /^files__etc_[0-9a-f]{6}$/],
  ['files', '读文件', [], [], /^files___[0-9a-f]{6}$/],
  ['files', 'x'.repeat(80), [], [], /^files_x{51}_[0-9a-f]{6}$/],
  // A tool of the service has it.
  ['internet', 'search', ['internet'], ['internet_search'], /^internet_search_[0-9a-f]{6}$/],
  // Models say by it what the contracts say.
  ['item', 'done', ['item'], RESERVED_NAMES, /^item_done_[0-9a-f]{6}$/],
  ['item_done', 'plan', ['item_done'], RESERVED_NAMES, /^item_done_plan$/],
  // Another server has it, also while that is down.
  ['a_b', 'c', ['a', 'a_b'], [], /^a_b_c$/],
  ['a', 'b_c', ['a', 'a_b'], [], /^a_b_c_[0-9a-f]{6}$/],
])('names the tool of server %j and tool %j beside %j and %j', (server, tool, servers, reserved, name) => {
  expect(mcpToolName(server, tool, servers, reserved)).toMatch(name);
});

it('makes a safe name for any tool, and different ones for two that look alike', () => {
  const named = (tool: string): string => mcpToolName('s', tool, [], []);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (tool) => {
      expect(named(tool)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(named(`${tool} `)).not.toBe(named(`${tool}.`));
    }),
  );
});
