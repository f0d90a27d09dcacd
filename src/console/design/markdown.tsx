import { useSignal } from '@preact/signals';
import { shared } from '../text/shared.ts';
import { Button } from './button.tsx';
import styles from './design.module.css';
import { toggles } from './fields.tsx';
import { lazy } from './loaded.tsx';

const PlainText = ({ text }: { text: string }) => (
  <p class="as-written" dir="auto">
    {text}
  </p>
);

/** Keeps about the place of a text until it can be drawn: nobody sees Markdown as it is written first. */
const Reserved = ({ text }: { text: string }) => (
  <p class={`as-written ${styles.reserved}`} aria-hidden="true">
    {text}
  </p>
);

const MarkdownBody = lazy(async () => (await import('./markdown-nodes.tsx')).MarkdownBody, Reserved);

const PlainWords = ({ text }: { text: string }) => <>{text}</>;

const MarkdownWords = lazy(async () => (await import('./markdown-nodes.tsx')).MarkdownWords, PlainWords);

/** Characters with a meaning in Markdown. */
const MARKED = /[*_`#|~<>[\]\\]|:\/\/|^\s*(?:[-+]|\d+[.)])\s/m;

/** A text of a model, tool or user as Markdown. */
export const MarkdownText = ({ text }: { text: string }) =>
  MARKED.test(text) ? <MarkdownBody text={text} /> : <PlainText text={text} />;

/** The same with a switch that shows it verbatim. */
export const Markdown = ({ text }: { text: string }) => {
  const isRaw = useSignal(false);
  if (!MARKED.test(text)) return <PlainText text={text} />;
  return (
    <div class={styles.switched}>
      {isRaw.value ? <PlainText text={text} /> : <MarkdownBody text={text} />}
      <Button kind="quiet" class={styles.rawSwitch} aria-pressed={isRaw.value} onClick={toggles(isRaw)}>
        {shared.value.raw}
      </Button>
    </div>
  );
};

/** The same in a single run of words, as for a row of a list. */
export const MarkdownLine = ({ text }: { text: string }) =>
  MARKED.test(text) ? <MarkdownWords text={text} /> : <PlainWords text={text} />;
