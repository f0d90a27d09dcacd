import { useSignal } from '@preact/signals';
import type { TraceEntry } from '../../../contracts/trace.ts';
import { Link } from '../app/link.tsx';
import { taskHref } from '../app/parse-route.ts';
import { Button } from '../design/button.tsx';
import { toggles } from '../design/fields.tsx';
import { eventTitle } from '../text/event-titles.ts';
import { shared } from '../text/shared.ts';
import { entryText } from '../timeline/entry-text.ts';
import { type Alignment, alignTraces } from './align-traces.ts';
import styles from './compare.module.css';
import { texts } from './texts.ts';

/** Rows shown at a time. */
const ROWS = 100;

const shownValue = (value: unknown): string =>
  value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value);

/** `entry`: the first that differs, of either side. */
const Changes = ({ changes, entry }: Pick<Alignment, 'changes'> & { entry: TraceEntry | undefined }) => (
  <table class={`${styles.changes} as-written`}>
    <thead>
      <tr>
        <th scope="col">{texts.value.differs}</th>
        <th scope="col">{texts.value.ofLeft}</th>
        <th scope="col">{texts.value.ofRight}</th>
      </tr>
    </thead>
    <tbody>
      {changes.map(({ path, before, after }) => (
        <tr key={path.join('.')}>
          <th scope="row">
            {entry !== undefined && `${eventTitle(entry.event)} `}
            <code>{path.join('.')}</code>
          </th>
          <td>
            <del data-change="removed">{shownValue(before)}</del>
          </td>
          <td>
            <ins data-change="added">{shownValue(after)}</ins>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Entry = ({ entry }: { entry: TraceEntry | undefined }) =>
  entry === undefined ? (
    <span class="muted">{texts.value.ended}</span>
  ) : (
    <Link
      class={styles.entry}
      href={taskHref(entry.session_id, entry.task_id ?? '', { seq: entry.seq, tab: 'timeline' })}
    >
      <span class="muted">{entry.seq}</span>
      <span class="muted">{eventTitle(entry.event)}</span>
      <span>{entryText(entry)}</span>
    </Link>
  );

interface PathsProps {
  left: readonly TraceEntry[];
  right: readonly TraceEntry[];
}

/** The entries of both, what is the same folded away, and the first difference in full. */
export const Paths = ({ left, right }: PathsProps) => {
  const { same, changes } = alignTraces(left, right);
  const areSameShown = useSignal(false);
  const rows = useSignal(ROWS);
  const length = Math.max(left.length, right.length);
  const row = (i: number) => (
    <li key={i} class={`${styles.pair} small`} data-first={i === same}>
      <Entry entry={left[i]} />
      <Entry entry={right[i]} />
    </li>
  );
  const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, i) => row(from + i));
  return (
    <section class="stack" aria-label={texts.value.path}>
      <h2>{texts.value.path}</h2>
      <Button kind="quiet" aria-expanded={areSameShown.value} disabled={same === 0} onClick={toggles(areSameShown)}>
        {areSameShown.value ? '▾' : '▸'} {texts.value.same(same)}
      </Button>
      {areSameShown.value && <ol>{range(0, Math.min(same, rows.value))}</ol>}
      {same === length ? (
        <p class="muted">{texts.value.identical}</p>
      ) : (
        <>
          {changes.length > 0 && <Changes changes={changes} entry={left[same] ?? right[same]} />}
          <h3 class="muted small">{texts.value.otherwise}</h3>
          <ol>{range(same, Math.min(length, same + rows.value))}</ol>
        </>
      )}
      {same + rows.value < length && (
        <Button
          onClick={() => {
            rows.value += ROWS;
          }}
        >
          {shared.value.more}
        </Button>
      )}
    </section>
  );
};
