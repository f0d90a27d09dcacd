import { describe, expect, it } from 'vitest';
import type { Tool } from '../../src/tools/port.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { BLOCKED_MS_MAX } from '../expressions/blocked-for.ts';
import { longestBlock, MEASURED_AGAIN } from '../support/longest-block.ts';

const toolNamed = (name: string): Tool => ({
  ...{ name, description: name, usage: name, writes: false, effect: 'idempotent' },
  run: async () => ({ ok: true, result: '' }),
});

const executorNamed = (name: string, tools: string[] | null) => ({ name, description: name, prompt: null, tools });

describe('the executors of a tool', () => {
  it('are those that name it and those that name none, in their order', () => {
    const registry = createToolRegistry(
      [toolNamed('a'), toolNamed('b')],
      [executorNamed('one', ['a', 'a', 'gone']), executorNamed('all', null), executorNamed('two', ['b', 'a'])],
    );
    expect(registry.executorsOf('a')).toEqual(['default', 'one', 'all', 'two']);
    expect(registry.executorsOf('b')).toEqual(['default', 'all', 'two']);
  });

  it('have names of their own', () => {
    expect(() => createToolRegistry([], [executorNamed('one', []), executorNamed('one', null)])).toThrow(
      'Two executors are named "one"',
    );
  });

  it('are looked up without comparing all of them with all tools', MEASURED_AGAIN, async () => {
    const names = Array.from({ length: 1_000 }, (_, n) => `tool_${n}`);
    const executors = names.map((_, n) => executorNamed(`executor_${n}`, names.slice(n % 980, (n % 980) + 20)));
    const registry = createToolRegistry(names.map(toolNamed), executors, names);
    const look = async () => registry.list().map(({ name }) => registry.executorsOf(name));
    expect((await look()).flat()).toHaveLength(21_000);
    expect(await longestBlock(look)).toBeLessThan(BLOCKED_MS_MAX);
  });
});
