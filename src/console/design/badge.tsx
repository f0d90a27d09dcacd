import { type StateName, states } from '../text/states.ts';
import styles from './badge.module.css';
import { meaningOf } from './meaning.ts';

/** A state in words, in the colour of its meaning. */
export const Badge = ({ state }: { state: StateName }) => (
  <span class={`${styles.badge} ${styles[meaningOf(state)] ?? ''}`} data-state={state}>
    {states.value[state]}
  </span>
);
