import { describe, expect, it } from 'vitest';
import { formatEntry } from '../../src/engine/replay/format.ts';
import { goldenSession } from '../support/golden/session.ts';

describe('a trace entry as prose', () => {
  it('stays one short line without control characters, whatever was said', () => {
    const session = goldenSession('hostile');
    session.openTask(`Look\n\u001b[31mhere ${'🙂'.repeat(1_000)}`);
    const line = formatEntry(session.lines[0]!);
    expect(line).toMatch(/^1 task\.opened task_1 "Look here 🙂/u);
    expect(line).not.toMatch(/\p{Cc}/u);
    expect(line.length).toBeLessThan(200);
  });
});
