import { setTimeout as sleep } from 'node:timers/promises';
import type { TurnView } from '../../contracts/turn-view.ts';
import { WORDS } from './answers.ts';
import { REMIND } from './check-reminders.ts';
import type { Client } from './client.ts';
import type { Random } from './random.ts';

/** Longest goal, in items: six take at least 24 steps, above the limit at which a task pauses. */
const ITEMS_MAX = 6;

/** Longest pause before something is sent beside a running task, in milliseconds. */
const BESIDE_MS_MAX = 120;

/** Something that happens in a session while its task runs. */
const BESIDES = ['nothing', 'nothing', 'command', 'command', 'another', 'steer', 'cancel', 'cancelById'] as const;

interface ConversationParts {
  session_id: string;
  client: Client;
  random: Random;
  /** No new task is started. */
  isOver(): boolean;
}

/** Talks to one session until it has ended: tasks, answers, commands, steers and cancels, every input unique. */
export const converse = async ({ session_id, client, random, isOver }: ConversationParts): Promise<void> => {
  let said = 0;
  const named = (words: string): string => {
    said += 1;
    return `${session_id} t${said}${words === '' ? '' : `: ${words}`}`;
  };

  const newGoal = (): string =>
    named(Array.from({ length: 1 + random.below(ITEMS_MAX) }, () => random.pick(WORDS)).join(' '));

  const command = async (): Promise<void> => {
    const input = `/todo add ${named('').replace(' ', '-')}${random.isChance(0.3) ? REMIND : ''}`;
    await client.turn(session_id, { input }, { isAsync: random.isChance(0.3), moment: 'command-sent' });
  };

  const beside = async (): Promise<void> => {
    const what = random.pick(BESIDES);
    await sleep(random.below(BESIDE_MS_MAX));
    switch (what) {
      case 'nothing':
        return;
      case 'command':
        return command();
      case 'another':
        return task();
      case 'steer': {
        const steer = { input: named(''), on_busy: 'steer' } as const;
        // If the task had just asked, this is the answer, and the next question comes here.
        return goOn(await client.turn(session_id, steer, { isAsync: true, moment: 'turn-sent' }));
      }
      case 'cancel':
        return void (await client.turn(session_id, { input: '/cancel' }, { isAsync: false, moment: 'cancel-sent' }));
      case 'cancelById':
        return client.cancelActive(session_id);
      default:
        return what satisfies never;
    }
  };

  /** Continues from a reply until nothing more can be said to its task. */
  const goOn = async (first: TurnView): Promise<void> => {
    let view = first;
    while (view.status === 'asking' || view.status === 'paused') {
      const isAsync = random.isChance(0.5);
      if (view.status === 'paused')
        view = await client.turn(session_id, { input: '/continue' }, { isAsync, moment: 'turn-sent' });
      else if (isOver())
        // A plan that waits for confirmation would be asked about forever.
        view = await client.turn(session_id, { input: '/cancel' }, { isAsync: false, moment: 'cancel-sent' });
      else view = await client.turn(session_id, { input: named('') }, { isAsync, moment: 'answer-sent' });
    }
  };

  /** One task until its end. */
  const task = async (): Promise<void> => {
    const firstTurn = { input: newGoal(), ...(random.isChance(0.1) && { confirm_plan: true }) };
    await goOn(await client.turn(session_id, firstTurn, { isAsync: random.isChance(0.5), moment: 'turn-sent' }));
  };

  while (!isOver()) await Promise.all([task(), beside()]);
};
