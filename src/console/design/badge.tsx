import type { TaskView } from '../../../contracts/turn-view.ts';
import { type StateName, states } from '../text/states.ts';
import styles from './design.module.css';

/** The meaning of a state to the user; each meaning has a color. */
export type Meaning = 'running' | 'waiting' | 'done' | 'failed' | 'paused' | 'neutral';

/** The states with each meaning; others are neutral. */
const meanings: readonly (readonly [Meaning, ...StateName[]])[] = [
  ['running', 'planning', 'replanning', 'thinking', 'acting', 'verifying', 'running', 'in_progress'],
  ['waiting', 'awaiting_user', 'asking'],
  ['paused', 'paused'],
  ['done', 'done', 'answered', 'completed'],
  ['failed', 'failed', 'blocked'],
];

/** The meaning of a state by its name. */
export const meaningOf = (state: StateName): Meaning =>
  meanings.find(([, ...states]) => states.includes(state))?.[0] ?? 'neutral';

/** A task's state for people: one that ended with a failure is not a success. */
export const shownState = ({ state, outcome }: Pick<TaskView, 'state' | 'outcome'>): StateName =>
  state === 'done' && outcome === 'failed' ? 'failed' : state;

/** A state in words, in the color of its meaning. */
export const Badge = ({ state }: { state: StateName }) => (
  <span
    class={`${styles.badge} ${styles[meaningOf(state)] ?? ''}`}
    data-state={state}
    style={{ '--colour': `var(--${meaningOf(state)})` }}
  >
    {states.value[state]}
  </span>
);
