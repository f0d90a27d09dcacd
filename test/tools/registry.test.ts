import { describe, expect, it } from 'vitest';
import type { Tool } from '../../src/tools/port.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { todoTool } from '../../src/tools/todo/todo-tool.ts';

const tool = (name: string, description = name): Tool => ({
  name,
  description,
  usage: name,
  writes: false,
  effect: 'idempotent',
  run: async () => ({ ok: true, result: description }),
});

describe('a registry with tools that come and go', () => {
  it('offers those of the moment, after the fixed ones', () => {
    let offered: Tool[] = [];
    const registry = createToolRegistry([tool('fixed')], [], () => offered);
    expect(registry.catalogue().tools.map(({ name }) => name)).toEqual(['fixed']);
    expect(registry.get('late')).toBeUndefined();
    offered = [tool('late')];
    expect(registry.catalogue().tools.map(({ name }) => name)).toEqual(['fixed', 'late']);
    expect(registry.get('late')).toBe(offered[0]);
    expect(registry.usage(['late', 'gone'])).toMatchObject([{ name: 'late', description: 'late', usage: 'late' }]);
  });

  it('refuses a name that another one has', () => {
    const registry = createToolRegistry([tool('a', 'own')], [], () => [
      tool('a', 'usurper'),
      tool('b', 'first'),
      tool('b', 'second'),
    ]);
    expect(registry.get('a')?.description).toBe('own');
    expect(registry.get('b')?.description).toBe('first');
    expect(registry.catalogue().tools).toHaveLength(2);
  });

  it('says who approves the calls of each tool, and whose results come from outside', () => {
    const registry = createToolRegistry([
      { ...tool('asks'), approval: true },
      { ...tool('decides'), approval: () => 'run' },
      { ...tool('waits'), approval: 'after_untrusted' },
      { ...tool('free'), approval: false },
      { ...tool('far'), source: 'untrusted' },
    ]);
    expect(registry.catalogue().tools).toEqual([
      { name: 'asks', writes: false, approval: true },
      { name: 'decides', writes: false, approval: 'policy' },
      { name: 'waits', writes: false, approval: 'after_untrusted' },
      { name: 'free', writes: false, side_by_side: true },
      { name: 'far', writes: false, source: 'untrusted', side_by_side: true },
    ]);
    expect(registry.list().map(({ approval, is_untrusted }) => [approval, is_untrusted])).toEqual([
      [true, false],
      ['policy', false],
      ['after_untrusted', false],
      [false, false],
      [false, true],
    ]);
  });

  it('says which tools may run in parallel: those that only read, outside of the store, without approval', () => {
    const registry = createToolRegistry(
      [
        tool('reads'),
        { ...todoTool, name: 'stored', writes: false },
        { ...tool('writes'), writes: true },
        { ...tool('asks'), approval: true },
        todoTool,
        { ...tool('decides'), approval: () => 'run' as const },
      ],
      [],
      () => [tool('far')],
    );
    const beside = registry.catalogue().tools.filter(({ side_by_side }) => side_by_side);
    expect(beside.map(({ name }) => name)).toEqual(['reads', 'far']);
    expect(
      ['reads', 'writes', 'asks', 'todo', 'stored', 'decides', 'far', 'gone'].filter(registry.isSideBySide),
    ).toEqual([...['reads', 'far']]);
  });
});
