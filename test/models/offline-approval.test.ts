import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ApprovalDecision } from '../../contracts/event.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { buildApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/app/config/config.ts';
import { temporaryFolder } from '../support/cli/cli-process.ts';
import { sessionOf } from '../support/engine/test-session.ts';

/** A session with the offline model in which todos and the schedule need a yes. */
const guarded = async () => {
  const config = loadConfig({
    TRIPACT_DATA_DIR: temporaryFolder(),
    TRIPACT_MODEL: 'offline',
    TRIPACT_APPROVE: 'todo,schedule',
  });
  const app = await buildApp({ config, log: pino({ level: 'silent' }), version: '0' });
  onTestFinished(() => app.close());
  return sessionOf(app.engine);
};

const isAbout = (turn: TurnView, input: string) =>
  expect(turn).toMatchObject({ status: 'asking', approval: { tool: 'todo', input: expect.stringContaining(input) } });

describe('The offline model, where its tools need a yes', () => {
  it('does what it may, and says so', async () => {
    const session = await guarded();
    isAbout(await session.ask('Add milk to my todos'), 'milk');
    expect(await session.ask('yes')).toMatchObject({ status: 'answered', output: expect.stringContaining('#1 milk') });
  });

  it.each(['no', '2', '否'])(
    'asks no second time about what the user said "%s" to, and says that it was left',
    async (no) => {
      const session = await guarded();
      isAbout(await session.ask('Add milk to my todos'), 'milk');
      const turn = await session.ask(no);
      expect(turn.status).not.toBe('asking');
      expect(turn.output).toContain('you told me to leave it');
      expect(await session.ask('/todo list')).toMatchObject({ output: expect.not.stringContaining('milk') });
    },
  );

  it('goes on with the other parts of a request', async () => {
    const session = await guarded();
    isAbout(await session.ask('把牛奶加入待办，然后把面包加入待办'), '牛奶');
    isAbout(await session.ask('否'), '面包');
    const { output } = await session.ask('是');
    expect(output).toContain('面包');
    const list = await session.ask('/todo list');
    expect(list.output).toContain('面包');
    expect(list.output).not.toContain('牛奶');
  });

  it('takes what an edited input gave for what it asked for', async () => {
    const session = await guarded();
    isAbout(await session.ask('Add milk to my todos'), 'milk');
    const edit: ApprovalDecision = { type: 'edit', input: 'add oat drink' };
    expect(await session.decide(edit)).toMatchObject({
      status: 'answered',
      output: expect.stringContaining('oat drink'),
    });
  });
});
