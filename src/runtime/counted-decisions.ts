import type { Asking } from '../lib/questions.ts';
import type { Decision } from '../session/change.ts';
import type { SessionListener } from '../session/commit.ts';
import { decide } from '../session/decide/decide.ts';
import type { SessionImage } from '../session/image.ts';
import type { SessionInput } from '../session/input.ts';
import type { CountedOwners } from '../session/owner-counts.ts';
import type { Store } from '../store/port.ts';
import type { EngineParts } from './engine-parts.ts';

interface CountedDecisions extends SessionListener {
  decide(image: SessionImage, input: SessionInput): Asking<Decision>;
  /** The session's decision was refused, or could not be stored. */
  notCommitted(image: SessionImage): void;
}

type Parts = Pick<EngineParts, 'commands' | 'reminders' | 'goals' | 'defaults' | 'limits' | 'webhookUrl' | 'now'> & {
  store: Pick<Store, 'facts'>;
  effects: Pick<EngineParts['effects'], 'tools' | 'model'>;
};

/** Makes what decides for the sessions of a process. A decision counts for its owner from when it is made until it is known not to be stored. */
export const createCountedDecisions = (
  { store, effects, commands, reminders, goals, defaults, limits, webhookUrl = null, now }: Parts,
  counted: Pick<CountedOwners, 'of' | 'reserve' | 'release' | 'keepCounts' | 'correct'>,
): CountedDecisions => {
  const services = {
    commands,
    reminders,
    goals,
    facts: store.facts,
    tools: effects.tools,
    model: effects.model,
    defaults,
    limits,
    hasWebhook: webhookUrl !== null,
  };
  return {
    *decide(image, input) {
      counted.release(image.session);
      const used = counted.of(image.session.owner);
      const decision = yield* decide(image, input, { ...services, used, now: now() });
      counted.reserve(image, decision);
      return decision;
    },
    notCommitted: ({ session }) => counted.release(session),
    committed: ({ decision }) => counted.keepCounts(decision),
    reloaded: (before, image) => counted.correct(before, image),
  };
};
