import { shared } from '../text/shared.ts';
import styles from './marked-words.module.css';
import type { DiffRun } from './prompt-diff.ts';

interface MarkedWordsProps {
  /** The difference between this text and another one. */
  runs: readonly DiffRun[];
  /** The side of the difference that this text is. */
  own: 'added' | 'removed';
}

/** A text of which the words are marked that the other one lacks. */
export const MarkedWords = ({ runs, own }: MarkedWordsProps) => {
  const Mark = own === 'added' ? 'ins' : 'del';
  return (
    <pre class={styles.text} dir="auto">
      {runs.map(({ change, parts }, i) => {
        if (change === 'same') return parts.join('');
        if (change !== own) return null;
        return (
          <Mark key={i}>
            <span class="visually-hidden">{shared.value.onlyHere} </span>
            {parts.join('')}
          </Mark>
        );
      })}
    </pre>
  );
};
