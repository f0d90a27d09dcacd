import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { shared } from '../text/shared.ts';
import { Button } from './button.tsx';
import { toggles } from './fields.tsx';
import { jsonIn } from './json-text.ts';
import styles from './tree.module.css';

/**
 * Longest text that is shown at once, in characters: laying out some hundred thousand takes a browser more than a
 * frame.
 */
const SHOWN_CHARS = 2_000;

/** How many parts of a value are drawn at once, and how many more on request. */
const SHOWN_PARTS = 100;

/** Values this deep are open from the beginning; deeper ones are drawn once they are opened. */
const OPEN_DEPTH = 2;

/** A text verbatim; a long one is cut until the user asks for all of it. */
const LongText = ({ text }: { text: string }) => {
  const isWhole = useSignal(false);
  const isLong = text.length > SHOWN_CHARS;
  return (
    <>
      <span class="as-written" dir="auto">
        {isLong && !isWhole.value ? `${text.slice(0, SHOWN_CHARS)}…` : text}
      </span>
      {isLong && (
        <Button kind="quiet" size="small" aria-expanded={isWhole.value} onClick={toggles(isWhole)}>
          {isWhole.value ? shared.value.less : shared.value.whole}
        </Button>
      )}
    </>
  );
};

/** The short form of an object or array: how much is in it. */
const countOf = (value: object): string =>
  Array.isArray(value) ? shared.value.items(value.length) : shared.value.fields(Object.keys(value).length);

const Plain = ({ value }: { value: unknown }) => {
  if (typeof value === 'string')
    return (
      <dd class={styles.text}>
        <LongText text={value} />
      </dd>
    );
  if (typeof value === 'object' && value !== null) return <dd class="muted">{countOf(value)}</dd>;
  return <dd class={styles.number}>{String(value)}</dd>;
};

/** The named parts of an object or array; null: it is neither, or has none. */
const partsOf = (value: unknown): [string, unknown][] | null => {
  if (typeof value !== 'object' || value === null) return null;
  const parts = Object.entries(value);
  return parts.length === 0 ? null : parts;
};

const Branch = ({ name, value, depth }: { name: string; value: unknown; depth: number }) => {
  const isOpen = useSignal(depth < OPEN_DEPTH);
  const parts = partsOf(value);
  if (parts === null)
    return (
      <>
        <dt dir="auto">{name}</dt>
        <Plain value={value} />
      </>
    );
  return (
    <>
      <dt dir="auto">{name}</dt>
      <dd>
        <Button kind="link" class={styles.fold} aria-expanded={isOpen.value} onClick={toggles(isOpen)}>
          {countOf(value as object)}
        </Button>
      </dd>
      {isOpen.value && (
        <dd class={styles.deep}>
          <Parts parts={parts} depth={depth + 1} />
        </dd>
      )}
    </>
  );
};

const Parts = ({ parts, depth }: { parts: [string, unknown][]; depth: number }) => {
  const shown = useSignal(SHOWN_PARTS);
  return (
    <>
      <dl>
        {parts.slice(0, shown.value).map(([name, value]) => (
          <Branch key={name} name={name} value={value} depth={depth} />
        ))}
      </dl>
      {parts.length > shown.value && (
        <Button
          kind="quiet"
          size="small"
          onClick={() => {
            shown.value += SHOWN_PARTS;
          }}
        >
          {shared.value.more}
        </Button>
      )}
    </>
  );
};

/**
 * A value as a tree: its fields as rows, what is in them unfolds. Long texts and long lists are cut until the user asks
 * for more; nothing is ever run or loaded.
 */
export const Tree = ({ value }: { value: unknown }) => {
  const parts = partsOf(value);
  return (
    <div class={styles.tree} dir="ltr">
      {parts === null ? (
        <LongText text={typeof value === 'object' && value !== null ? countOf(value) : String(value)} />
      ) : (
        <Parts parts={parts} depth={0} />
      )}
    </div>
  );
};

/** A text of a tool or model: JSON as a tree, anything else verbatim. */
export const TextTree = ({ text }: { text: string }) => {
  const json = useMemo(() => jsonIn(text), [text]);
  return <Tree value={json === null ? text : json} />;
};
