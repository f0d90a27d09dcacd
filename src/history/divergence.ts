import type { EventOf } from '../../contracts/event.ts';
import { MACHINE } from '../../machines/task-machine.ts';

/** Why this machine folds a history differently from the machine `from` that made it. */
export interface Divergence {
  readonly from: string;
  readonly reason: string;
}

/** The event that pauses a task whose history this machine folds differently (SPEC 6, machine_changed). */
export const machineChanged = ({ from, reason }: Divergence): EventOf<'machine.changed'> => ({
  type: 'machine.changed',
  from,
  to: MACHINE,
  reason: `this history was made by ${from}; here ${reason}`,
});
