import type { ComponentChildren } from 'preact';
import { useResource } from '../api/resource.ts';
import { Failure, Loading } from '../design/notice.tsx';
import styles from './system.module.css';

interface LoadedPartProps<Value> {
  load: (signal: AbortSignal) => Promise<Value>;
  /** Shown in place of the failure, for errors that are none; undefined: the failure is shown. */
  otherwise?: (error: unknown) => ComponentChildren | undefined;
  children: (value: Value, reload: () => void) => ComponentChildren;
}

/** A part of the screen that is loaded by itself. */
export const LoadedPart = <Value,>({ load, otherwise, children }: LoadedPartProps<Value>) => {
  const { loaded, reload } = useResource(load, []);
  const { value, error } = loaded.value;
  if (value !== undefined) return <>{children(value, reload)}</>;
  if (error === null) return <Loading />;
  return <>{otherwise?.(error) ?? <Failure error={error} onRetry={reload} />}</>;
};

interface TableProps {
  label: string;
  /** Titles of the columns; an empty one is for buttons. */
  columns: readonly string[];
  children: ComponentChildren;
}

/** A table that scrolls where it is wide. Its children are the rows. */
export const Table = ({ label, columns, children }: TableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, which the keyboard must reach.
  <section class={styles.scroll} tabIndex={0} aria-label={label}>
    <table class={styles.table}>
      <thead>
        <tr>
          {columns.map((title) =>
            title === '' ? (
              <td key={title} />
            ) : (
              <th key={title} scope="col">
                {title}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </section>
);
