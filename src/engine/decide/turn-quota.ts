import { languageOf } from '../../../contracts/language.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { nextMidnight } from '../../../contracts/quota.ts';
import { ServiceError } from '../../lib/errors.ts';
import { type Asking, ask } from '../../store/questions.ts';
import type { Decision } from '../change.ts';
import { dayOf } from '../usage-day.ts';

const TURNS_OF_DAY = 'SELECT turns FROM turn_days WHERE owner = @owner AND day = @day';

/**
 * Refuses a decision that adds a turn which a task answers, where its owner has had as many today (SPEC 6): throws `QUOTA_EXHAUSTED`. Asked inside
 * the decision's commit, so that turns which come at once count one after the other. `turnsPerDay` null: any number, and nothing is asked.
 */
export function* assertWithinTurnQuota({ changes, image, at }: Decision, turnsPerDay: number | null): Asking<void> {
  const added = changes.filter((change) => change.type === 'turn.added' && typeof change.as === 'string');
  const [first] = added;
  if (turnsPerDay === null || first?.type !== 'turn.added') return;
  const { owner } = image.session;
  const [day] = yield* ask<{ turns: number }>(TURNS_OF_DAY, { owner, day: dayOf(at) });
  if ((day?.turns ?? 0) + added.length <= turnsPerDay) return;
  const resetsAt = nextMidnight(at);
  const { turnsOfDay } = messages(image.active?.task.context.language ?? languageOf(first.turn.input)).replies;
  throw new ServiceError('QUOTA_EXHAUSTED', turnsOfDay(turnsPerDay, new Date(resetsAt).toISOString()), {
    retryAfterSeconds: Math.ceil((resetsAt - at) / 1_000),
  });
}
