import { signal } from '@preact/signals';
import type { ComponentChildren, ComponentType, JSX } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { type Loaded as LoadedValue, useChange, useResource } from '../api/resource.ts';
import { late } from '../state/late.ts';
import { shared } from '../text/shared.ts';
import { Button } from './button.tsx';
import styles from './design.module.css';

/** The placeholder of an empty screen or list, in the middle of its place: what would be here, and how to get it. */
export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class={`stack ${styles.notice} ${styles.empty}`}>
    <h2>{title}</h2>
    {children}
  </div>
);

/** An error in words for its user. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Why a change was refused, in a line; renders nothing if it was not. */
export const Refusal = ({ error }: { error: unknown }) =>
  error === null ? null : (
    <p class="refusal" role="alert">
      {messageOf(error)}
    </p>
  );

interface FailureProps {
  /** The error, whose message is shown. */
  error: unknown;
  title?: string;
  onRetry?: () => void;
}

/** An error with its reason and a button to retry. */
export const Failure = ({ error, title, onRetry }: FailureProps) => (
  <div class={`stack ${styles.notice}`} role="alert">
    <h2 class="refusal">{title ?? shared.value.failedTitle}</h2>
    <p class="as-written">{messageOf(error)}</p>
    {onRetry !== undefined && <Button onClick={onRetry}>{shared.value.retry}</Button>}
  </div>
);

/** A part of a screen that fails alone: if something in it cannot be drawn, it says why, and its neighbours stay. */
export const Boundary = ({ children }: { children: ComponentChildren }) => {
  const [error, retry] = useErrorBoundary((thrown) => console.error(thrown));
  if (error === undefined) return <>{children}</>;
  return (
    <div class={`line ${styles.broken}`} role="alert">
      <p class="refusal fill">
        {shared.value.brokenPart} {messageOf(error)}
      </p>
      <Button onClick={retry}>{shared.value.retry}</Button>
    </div>
  );
};

/** Says to screen readers that something is being loaded. It draws nothing: what is not there yet does not jump. */
export const Loading = ({ what }: { what?: string }) => (
  <p class="visually-hidden" role="status">
    {what ?? shared.value.loading}
  </p>
);

interface LoadedProps<Value> {
  from: LoadedValue<Value>;
  onRetry: () => void;
  children: (value: Value) => ComponentChildren;
}

/** A loaded value as soon as it is there; before that nothing, or why it is missing. */
export const Loaded = <Value,>({ from: { value, error }, onRetry, children }: LoadedProps<Value>) => {
  if (value !== undefined) return <>{children(value)}</>;
  return error === null ? <Loading /> : <Failure error={error} onRetry={onRetry} />;
};

interface LoadedPartProps<Value> {
  load: (signal: AbortSignal) => Promise<Value>;
  /** How often it is reloaded, in milliseconds; absent: only after a change. */
  everyMs?: number;
  class?: string;
  /** Gets a function that makes a change and reloads the part. Why a change was refused is shown above it. */
  children: (value: Value, change: (make?: () => Promise<unknown>) => void) => ComponentChildren;
}

/** A part of a screen that loads itself. */
export const LoadedPart = <Value,>({ load, everyMs, children, ...rest }: LoadedPartProps<Value>) => {
  const { loaded, reload } = useResource(load, [], everyMs);
  const { problem, change } = useChange(reload);
  return (
    <Loaded from={loaded.value} onRetry={reload}>
      {(value) => (
        <div class={rest.class ?? 'stack padded'}>
          <Refusal error={problem.value} />
          {children(value, (make = async () => {}) => void change(make))}
        </div>
      )}
    </Loaded>
  );
};

interface TableProps<Item> {
  label: string;
  items: readonly Item[];
  /** The placeholder of an empty table: what would be in it, and how to get it. */
  empty?: readonly [title: string, hint: string];
  /**
   * The title of each column and its cell for an item. The first column names the item; one without a title has
   * buttons; one of numbers has them below each other by their last digit.
   */
  columns: readonly (readonly [title: string, cell: (item: Item) => ComponentChildren, of?: 'numbers'])[];
}

/** A table that scrolls if it is wide. On a phone each item is a block with labelled cells. */
export const Table = <Item,>({ label, items, empty, columns: [first, ...others] }: TableProps<Item>) => {
  if (items.length === 0 && empty !== undefined) return <Empty title={empty[0]}>{empty[1]}</Empty>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, which the keyboard must reach.
    <section class={styles.scroll} tabIndex={0} aria-label={label}>
      <table class={styles.table}>
        <thead>
          <tr>
            <th scope="col">{first?.[0]}</th>
            {others.map(([title, , of]) =>
              title === '' ? (
                <td key={title} />
              ) : (
                <th key={title} data-of={of}>
                  {title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {items.map((item, i) => (
            <tr key={i}>
              <th scope="row">{first?.[1](item)}</th>
              {others.map(([title, cell, of]) => (
                <td key={title} data-label={title} data-of={of}>
                  {title === '' ? <div class="buttons">{cell(item)}</div> : cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

/**
 * A component whose code is loaded when it is first shown, or by `load`. `Meanwhile` replaces it until then, and if its
 * code cannot be loaded.
 */
export const lazy = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Meanwhile?: ComponentType<Props>,
): ((props: Props) => JSX.Element) & { load: () => Promise<void> } => {
  const code = signal<ComponentType<Props> | null>(null);
  const loadCode = late(async () => {
    code.value = await load();
  });
  const Lazy = (props: Props): JSX.Element => {
    const { loaded, reload } = useResource(() => (code.peek() === null ? loadCode() : Promise.resolve()), []);
    const { error } = loaded.value;
    const Shown = code.value ?? Meanwhile;
    if (Shown !== undefined) return <Shown {...props} />;
    return error === null ? <Loading /> : <Failure error={error} onRetry={reload} />;
  };
  return Object.assign(Lazy, { load: loadCode });
};
