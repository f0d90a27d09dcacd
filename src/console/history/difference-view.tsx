import type { Difference } from '../../trace/difference.ts';
import styles from './difference-view.module.css';
import { historyTexts } from './texts.ts';

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** The first place where a trace is not what the machine does: what either has there. */
export const DifferenceView = ({ difference: { seq, expected, actual } }: { difference: Difference }) => {
  const texts = historyTexts.value;
  return (
    <div class={styles.difference} role="alert" data-difference={seq}>
      <h2>{texts.difference(seq)}</h2>
      <dl>
        <dt>{texts.expected}</dt>
        <dd>
          <pre>{asText(expected)}</pre>
        </dd>
        <dt>{texts.actual}</dt>
        <dd>
          <pre>{asText(actual)}</pre>
        </dd>
      </dl>
      <p>{texts.upTo}</p>
    </div>
  );
};
