import type { EventOf, TaskEventType } from '../contracts/event.ts';

/** The event as its own type: an action or a guard of one transition sees that transition's event only. */
export const as = <Type extends TaskEventType>(type: Type, event: { type: string }): EventOf<Type> => {
  if (event.type !== type) throw new Error(`something for ${type} ran at ${event.type}`);
  return event as EventOf<Type>;
};
