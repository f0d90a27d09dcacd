import type { ApprovalDecision } from '../../contracts/event.ts';
import { APPROVED } from './answers.ts';
import type { Client } from './client.ts';
import type { Ledger } from './ledger.ts';
import type { Random } from './random.ts';

/** One round in this many has a removal. */
const REMOVED_ONE_IN = 3;

const DECISIONS: ApprovalDecision[] = [{ type: 'approve' }, { type: 'approve' }, { type: 'reject' }];

interface RivalsParts {
  name: string;
  client: Client;
  ledger: Ledger;
  random: Random;
  /** No new round begins. */
  isOver(): boolean;
}

/**
 * Lets several clients act on the same task at once, round after round in its own session: the task waits for approval,
 * and is decided, cancelled, edited, forked and removed at the same moment. The late ones are refused.
 */
export const compete = async ({ name, client, ledger, random, isOver }: RivalsParts): Promise<void> => {
  const round = async (session_id: string): Promise<void> => {
    ledger.rivals.add(session_id);
    const turn = { input: `${session_id} t1: ${APPROVED}` };
    const { status, task_id } = await client.turn(session_id, turn, { isAsync: false, moment: 'turn-sent' });
    if (status !== 'asking') return;
    const task = `/v1/tasks/${task_id}`;

    const decide = async (): Promise<void> => {
      const decided = await Promise.all(DECISIONS.map((decision) => client.decide(session_id, decision)));
      const taken = decided.filter((view) => view !== null);
      if (taken.length > 1)
        ledger.violations.push({ rule: 'decidedTwice', detail: `${task_id}: ${taken.map(({ id }) => id).join(', ')}` });
    };
    const fork = async (): Promise<void> => {
      const forked = `${session_id}-fork`;
      const made = await client.attempt('POST', `${task}/fork`, { session_id: forked });
      if (made === 201) ledger.rivals.add(forked);
    };
    const remove = async (): Promise<void> => {
      ledger.removed.set(session_id, false);
      ledger.removed.set(session_id, (await client.attempt('DELETE', `/v1/sessions/${session_id}`)) === 204);
    };
    const edit = () => client.attempt('PATCH', `${task}/plan`, { edits: [{ kind: 'add', step: 'nothing more' }] });
    const rivals: (() => Promise<unknown>)[] = [decide, fork, edit, () => client.attempt('POST', `${task}/cancel`)];
    if (random.below(REMOVED_ONE_IN) === 0) rivals.push(remove);
    const first = random.below(rivals.length);
    await Promise.all([...rivals.slice(first), ...rivals.slice(0, first)].map((rival) => rival()));
  };

  for (let count = 1; !isOver(); count += 1) await round(`${name}-${count}`);
};
