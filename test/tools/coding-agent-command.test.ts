import { describe, expect, it } from 'vitest';
import { type Command, commandText } from '../../src/tools/coding-agent/command-file.ts';

const textOf = (constraints: string[]): string => {
  const id = '0b6fbc5f-5a1c-5d3c-9d6a-0123456789ab';
  const named = { id, created_at: '2026-11-21T00:00:00.000Z', session_id: 'auto', command_type: 'new' } as const;
  return commandText({ ...named, description: 'Build it', constraints, expected: null } satisfies Command, 'en');
};

describe('the constraints of a command', () => {
  it('are whole where they fit together, however long one of them is', () => {
    const long = `Use\n${'x'.repeat(32_000)}`;
    expect(textOf([long, 'No images'])).toContain(`\n- ${long.replace('\n', '\n  ')}\n- No images\n`);
  });

  it('are each cut to their share where they do not', () => {
    const text = textOf(Array.from({ length: 100 }, (_, n) => `Rule ${n}.${'\n'.repeat(32_000)}The end.`));
    for (let n = 0; n < 100; n += 1) expect(text).toContain(`\n- Rule ${n}.\n`);
    expect(text.match(/… \[cut, 320\d\d characters in all\]/g)).toHaveLength(100);
    expect(text.length).toBeLessThan(200_000);
  });

  it('leave a long one what short ones do not need', () => {
    const short = Array.from({ length: 10 }, (_, n) => `Rule ${n}. ${'z'.repeat(100)}`);
    const text = textOf(['x'.repeat(32_000), ...short, 'y'.repeat(32_000)]);
    for (const rule of short) expect(text).toContain(`\n- ${rule}\n`);
    expect(text).toMatch(/- x{31000}/);
    expect(text).toMatch(/- y{31000}/);
    expect(text.length).toBeLessThan(65_000);
  });
});
