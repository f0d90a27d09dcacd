import type { TaskView } from '../../../contracts/turn-view.ts';
import { type StateName, states } from '../text/states.ts';
import styles from './design.module.css';

/** Meanings of a state to the user: the colours are these. */
export type Meaning = 'running' | 'waiting' | 'done' | 'failed' | 'paused' | 'neutral';

const meanings: Record<StateName, Meaning> = {
  planning: 'running',
  replanning: 'running',
  thinking: 'running',
  acting: 'running',
  verifying: 'running',
  running: 'running',
  in_progress: 'running',
  awaiting_user: 'waiting',
  asking: 'waiting',
  paused: 'paused',
  done: 'done',
  answered: 'done',
  completed: 'done',
  ran: 'neutral',
  asked: 'neutral',
  failed: 'failed',
  blocked: 'failed',
  cancelled: 'neutral',
  idle: 'neutral',
  queued: 'neutral',
  not_started: 'neutral',
  dropped: 'neutral',
};

/** The meaning of a state by its name. */
export const meaningOf = (state: StateName): Meaning => meanings[state];

/** A task's state as people see it: one that ended with a failure is no success. */
export const shownState = ({ state, outcome }: Pick<TaskView, 'state' | 'outcome'>): StateName =>
  state === 'done' && outcome === 'failed' ? 'failed' : state;

/** A state in words, in the colour of its meaning. */
export const Badge = ({ state }: { state: StateName }) => (
  <span
    class={`${styles.badge} ${styles[meaningOf(state)] ?? ''}`}
    data-state={state}
    style={{ '--colour': `var(--${meaningOf(state)})` }}
  >
    {states.value[state]}
  </span>
);
