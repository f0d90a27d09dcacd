import type { Queries } from '../lib/queries.ts';
import type { Decision } from '../session/change.ts';
import { decide } from '../session/decide/decide.ts';
import type { SessionImage } from '../session/image.ts';
import type { SessionInput } from '../session/input.ts';
import type { Store } from '../store/port.ts';
import type { EngineParts } from './engine-parts.ts';

type Parts = Pick<EngineParts, 'commands' | 'reminders' | 'goals' | 'defaults' | 'limits' | 'webhookUrl' | 'now'> & {
  store: Pick<Store, 'facts'>;
  effects: Pick<EngineParts['effects'], 'tools' | 'model'>;
};

/** Makes what decides for the sessions of a process. It keeps nothing of what it decided. */
export const createDecide = ({
  store,
  effects,
  commands,
  reminders,
  goals,
  defaults,
  limits,
  webhookUrl = null,
  now,
}: Parts): ((image: SessionImage, input: SessionInput) => Queries<Decision>) => {
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
  return (image, input) => decide(image, input, { ...services, now: now() });
};
