import type { HeldSession, Outcome, RequestedChange } from './session-head.ts';
import { type Opening, takeInput, takeQueued } from './take-input.ts';

/**
 * Moves one session on until nothing is left to do: takes in what came, else performs at most one open effect and commits
 * its outcome, else takes the next turn from the queue. Every engine runs this same function (SPEC 7: commit, then perform).
 */
export const advance = async (session: HeldSession, opening: Opening): Promise<void> => {
  while (!session.isStopping()) {
    const input = session.nextInput();
    if (input !== null) {
      if ('turn' in input) await takeInput(session, input, opening);
      else await commitRequested(session, input.change);
      continue;
    }
    const { active, open, queued } = session.head();
    if (active !== null && open !== null) {
      const outcome = await session.perform(open, active);
      if (outcome !== null) await commitOutcome(session, outcome);
      continue;
    }
    const [next] = queued;
    if (active !== null || next === undefined) return;
    await takeQueued(session, next, opening);
  }
};

const commitOutcome = async (session: HeldSession, outcome: Outcome): Promise<void> => {
  if ('event' in outcome) return session.commit((change) => void change.apply(outcome.event));
  try {
    await session.commit((change) => void change.apply(outcome.inside()));
  } catch (error) {
    if (session.isStorageError(error)) throw error;
    await session.commit((change) => void change.apply(outcome.failed(error)));
  }
};

const commitRequested = async (session: HeldSession, { write, settle }: RequestedChange): Promise<void> => {
  try {
    await session.commit(write);
    settle(null);
  } catch (error) {
    settle(error);
  }
};
