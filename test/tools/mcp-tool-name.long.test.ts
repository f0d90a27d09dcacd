import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mcpToolName } from '../../src/tools/mcp/tool-name.ts';

const none = { servers: [], tools: [] };

describe('the name of an MCP tool', () => {
  it.each([
    ['files', 'read_file', /^files_read_file$/],
    ['files', 'read file', /^files_read_file_[0-9a-f]{6}$/],
    ['files', '', /^files__[0-9a-f]{6}$/],
    ['files', '../../etc', /^files__etc_[0-9a-f]{6}$/],
    ['files', '读文件', /^files___[0-9a-f]{6}$/],
    ['files', 'x'.repeat(80), /^files_x{51}_[0-9a-f]{6}$/],
  ])('of server %j and tool %j', (server, tool, name) => {
    expect(mcpToolName(server, tool, none)).toMatch(name);
  });

  it('is never one that a tool of the service has', () => {
    expect(mcpToolName('internet', 'search', { servers: ['internet'], tools: ['internet_search'] })).toMatch(
      /^internet_search_[0-9a-f]{6}$/,
    );
  });

  it('distinguishes tool b_c of server a from tool c of server a_b, whichever of them is up', () => {
    const neighbours = { servers: ['a', 'a_b'], tools: [] };
    expect(mcpToolName('a_b', 'c', neighbours)).toBe('a_b_c');
    expect(mcpToolName('a', 'b_c', neighbours)).toMatch(/^a_b_c_[0-9a-f]{6}$/);
  });

  it('is safe for any tool, and differs for two that look alike', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (tool) => {
        expect(mcpToolName('s', tool, none)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(mcpToolName('s', `${tool} `, none)).not.toBe(mcpToolName('s', `${tool}.`, none));
      }),
    );
  });
});
