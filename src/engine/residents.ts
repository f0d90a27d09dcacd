import { type Residents, SERVICE_HOME } from '../store/homes/port.ts';
import { resume } from './resume.ts';
import type { EngineParts, RunningSessions } from './running-sessions.ts';

/** Makes the work of an engine as the home of some owners, which come and go. */
export const createResidents = (parts: EngineParts, running: RunningSessions): Residents => {
  const { presence, counted, callbacks, actors } = running;
  const forget = (owner: string): void => {
    presence.leave(owner);
    counted.drop(owner);
    callbacks.drop(owner);
  };
  const lose = (owner: string): void => {
    void actors.stopOwner(owner, AbortSignal.abort());
    forget(owner);
  };
  return {
    adopt: async (owner, wasReleased) => {
      // A request that came late may have left something.
      lose(owner);
      presence.enter(owner);
      await resume(parts, running, owner, wasReleased);
      callbacks.poll();
    },
    leave: async (owner, graceMs) => {
      await actors.stopOwner(owner, AbortSignal.timeout(graceMs));
      forget(owner);
    },
    lose,
    isIdle: (owner) => {
      const { unfinished_turns, running_tasks, pending_callbacks } = counted.of(owner);
      const isOpen = unfinished_turns + running_tasks + pending_callbacks > 0;
      return owner !== SERVICE_HOME && !isOpen && !actors.isBusy(owner) && !presence.isFollowed(owner);
    },
  };
};
