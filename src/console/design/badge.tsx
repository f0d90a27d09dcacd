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

/** The drawing of a meaning: a shape each, so that colour alone never carries it. */
export const Sign = ({ meaning }: { meaning: Meaning | 'open' }) => (
  <svg
    class={styles.sign}
    data-meaning={meaning}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    {meaning === 'done' || meaning === 'failed' ? (
      <>
        <circle cx="8" cy="8" r="6.2" fill="currentColor" stroke="none" />
        <path d={meaning === 'done' ? 'm5.4 8.3 1.8 1.8 3.5-4' : 'm6 6 4 4M10 6l-4 4'} stroke="var(--surface)" />
      </>
    ) : (
      <circle
        cx="8"
        cy="8"
        r="5.5"
        opacity={meaning === 'running' ? 0.28 : undefined}
        stroke-dasharray={meaning === 'open' ? '2.2 2.12' : undefined}
      />
    )}
    {meaning === 'waiting' && <circle cx="8" cy="8" r="2.5" fill="currentColor" stroke="none" />}
    {meaning === 'running' && <path d="M8 2.5A5.5 5.5 0 0 1 13.5 8" />}
    {meaning === 'paused' && <path d="M6.5 6v4M9.5 6v4" />}
    {meaning === 'neutral' && <path d="M5.8 8h4.4" />}
  </svg>
);

/** A state in words, with the sign of its meaning. */
export const Badge = ({ state }: { state: StateName }) => {
  const meaning = meaningOf(state);
  return (
    <span class={styles.badge} data-state={state} data-meaning={meaning}>
      <Sign meaning={meaning} />
      <span class="sentence">{states.value[state]}</span>
    </span>
  );
};
