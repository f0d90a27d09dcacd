import { signal } from '@preact/signals';
import type { ComponentChildren, ComponentType, JSX } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { type Loaded as LoadedValue, useChange, useResource } from '../api/resource.ts';
import { late } from '../state/late.ts';
import { shared } from '../text/shared.ts';
import { Button } from './button.tsx';
import styles from './design.module.css';
import { Icon } from './icon.tsx';

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

/** The order of a table's rows, which their caller has sorted. */
export interface TableOrder {
  /** The title of the column that they are sorted by. */
  by: string;
  isDescending: boolean;
  /** The user chose a column by its title; the same one again: the other way round. */
  choose: (title: string) => void;
}

interface TableProps<Item> {
  label: string;
  items: readonly Item[];
  /** The placeholder of an empty table: what would be in it, and how to get it. */
  empty?: readonly [title: string, hint: string];
  /** Absent: the user cannot sort it. */
  order?: TableOrder;
  /**
   * The title of each column and its cell for an item. The first column names the item; one without a title has
   * buttons; one of numbers has them below each other by their last digit.
   */
  columns: readonly (readonly [title: string, cell: (item: Item) => ComponentChildren, of?: 'numbers'])[];
  class?: string;
}

interface ColumnHeadProps {
  title: string;
  of?: 'numbers' | undefined;
  order: TableOrder | undefined;
}

/** The head of a column, which sorts by it. */
const ColumnHead = ({ title, of, order }: ColumnHeadProps) => {
  if (order === undefined)
    return (
      <th scope="col" data-of={of}>
        {title}
      </th>
    );
  const { by, isDescending, choose } = order;
  const direction = isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" data-of={of} aria-sort={by === title ? direction : undefined}>
      <button type="button" class={styles.sorts} onClick={() => choose(title)}>
        {title}
        <Icon name={by === title && !isDescending ? 'rises' : 'falls'} />
      </button>
    </th>
  );
};

/** A phone's choice of the column to sort by: it shows no heads. */
const SortChoice = ({ titles, order: { by, isDescending, choose } }: { titles: string[]; order: TableOrder }) => (
  <div class={styles.sortChoice}>
    <label class="line">
      <span class="muted">{shared.value.sortBy}</span>
      <select value={by} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {titles.map((title) => (
          <option key={title}>{title}</option>
        ))}
      </select>
    </label>
    <Button icon={isDescending ? 'falls' : 'rises'} title={shared.value.reverse} onClick={() => choose(by)} />
  </div>
);

/** A table that scrolls if it is wide. On a phone each item is a block with labelled cells. */
export const Table = <Item,>({ label, items, empty, order, columns, class: more = '' }: TableProps<Item>) => {
  if (items.length === 0 && empty !== undefined) return <Empty title={empty[0]}>{empty[1]}</Empty>;
  const [first, ...others] = columns;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, which the keyboard must reach.
    <section class={styles.scroll} tabIndex={0} aria-label={label}>
      {order !== undefined && (
        <SortChoice titles={columns.map(([title]) => title).filter((title) => title !== '')} order={order} />
      )}
      <table class={`${styles.table} ${more}`}>
        <thead>
          <tr>
            {columns.map(([title, , of]) =>
              title === '' ? <td key={title} /> : <ColumnHead key={title} title={title} of={of} order={order} />,
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
