import { useMemo } from 'preact/hooks';
import { CopyButton } from './copy.tsx';
import styles from './markdown.module.css';
import { markdownNodes } from './markdown-nodes.tsx';

const codeBlock = (code: string, language: string) => (
  <figure class={styles.code}>
    <figcaption>
      <span>{language}</span>
      <CopyButton text={code} />
    </figcaption>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
    <pre tabIndex={0}>
      <code>{code}</code>
    </pre>
  </figure>
);

/** A text as Markdown, whose code can be copied. */
export const MarkdownBody = ({ text }: { text: string }) => (
  <div class={styles.markdown}>{useMemo(() => markdownNodes(text, codeBlock), [text])}</div>
);
