import { Marked, type MarkedToken, type Token, type Tokens } from 'marked';
import { type ComponentChildren, h, type VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { shared } from '../text/shared.ts';
import { cjkStrong } from './cjk-strong.ts';
import { coloured } from './code.tsx';
import { CopyButton } from './copy.tsx';
import styles from './markdown.module.css';

const marked = new Marked({ extensions: [cjkStrong] });

/** Longest text that is parsed as Markdown, in characters: hostile emphasis in a longer one takes the lexer seconds. */
const MARKDOWN_CHARS_MAX = 20_000;

/**
 * Deepest nesting that is parsed as Markdown: thousands of ">" in a row overflow the stack, and hundreds use up the
 * width.
 */
const DEPTH_MAX = 32;

/** An address that a link may lead to; null: only the text is shown. */
const safeHref = (href: string): string | null =>
  /^https?:\/\//i.test(href) && URL.canParse(href) ? new URL(href).href : null;

/** Letters that are written from right to left: Hebrew, Arabic and their kin. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** The box of a task in a list. */
const TASK_BOX = /\[[ x]\]/gi;

/** The direction of a block by its first letter, as `dir="auto"` has it, which does not look into its parts. */
const directionOf = ({ raw }: Token): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.test(/\p{L}/u.exec(raw.replace(TASK_BOX, ''))?.[0] ?? '') ? 'rtl' : 'ltr';

/** A column's alignment, mirrored with its table: Markdown says "right" of what ends a line. */
const alignments = { left: 'start', center: 'center', right: 'end' } as const;

/** The tokens within a token. */
const within = (any: Token): Token[] => {
  const token = any as MarkedToken;
  if (token.type === 'list') return token.items;
  if (token.type === 'table') return [token.header, ...token.rows].flat().flatMap((cell) => cell.tokens);
  return 'tokens' in token ? (token.tokens ?? []) : [];
};

const isDeeperThan = (depth: number, tokens: readonly Token[]): boolean =>
  depth === 0 ? tokens.length > 0 : tokens.some((token) => isDeeperThan(depth - 1, within(token)));

/** Parses a text as Markdown; null: it is too long or too deep and is shown verbatim. */
const tokensOf = (text: string): Token[] | null => {
  if (text.length > MARKDOWN_CHARS_MAX) return null;
  try {
    const tokens = marked.lexer(text);
    return isDeeperThan(DEPTH_MAX, tokens) ? null : tokens;
  } catch {
    return null;
  }
};

/** The levels of headings, which begin below the page's own and skip none. */
const headingLevels = (tokens: readonly Token[]): ((depth: number) => number) => {
  const first = Math.min(...tokens.map((token) => (token.type === 'heading' ? token.depth : 6)));
  let last = 2;
  return (depth) => {
    last = Math.min(6, 3 + depth - first, last + 1);
    return last;
  };
};

/**
 * Texts of models, tools and users as nodes, by marked's lexer; what it cannot parse is plain text. Markup stays text
 * and a picture becomes a link, so nothing is loaded or run.
 */
export const markdownNodes = (text: string): ComponentChildren => {
  const tokens = tokensOf(text);
  if (tokens === null) return <p dir="auto">{text}</p>;
  const levelOf = headingLevels(tokens);
  const inside = ({ tokens = [], text = '' }: { tokens?: Token[] | undefined; text?: string }): ComponentChildren =>
    tokens.length > 0 ? tokens.map(node) : text;
  const link = (href: string, children: ComponentChildren): ComponentChildren => {
    const safe = safeHref(href);
    if (safe === null) return children;
    return (
      <a href={safe} title={safe} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    );
  };
  const row = (cells: Tokens.TableCell[], Cell: 'th' | 'td'): VNode => (
    <tr>
      {cells.map((cell, i) => (
        <Cell key={i} style={{ textAlign: cell.align === null ? undefined : alignments[cell.align] }}>
          <bdi>{inside(cell)}</bdi>
        </Cell>
      ))}
    </tr>
  );
  const node = (any: Token): ComponentChildren => {
    const token = any as MarkedToken;
    switch (token.type) {
      case 'space':
      case 'def':
        return null;
      case 'heading': {
        const Heading = `h${levelOf(token.depth)}` as 'h3';
        return <Heading dir="auto">{inside(token)}</Heading>;
      }
      case 'paragraph':
        return <p dir="auto">{inside(token)}</p>;
      case 'blockquote':
        return <blockquote dir={directionOf(token)}>{inside(token)}</blockquote>;
      case 'strong':
      case 'em':
      case 'del':
        return h(token.type, null, inside(token));
      case 'list': {
        const List = token.ordered ? 'ol' : 'ul';
        return (
          <List dir={directionOf(token)} start={token.start === '' ? undefined : token.start}>
            {token.items.map(node)}
          </List>
        );
      }
      case 'list_item':
        return (
          <li class={token.task ? styles.task : undefined}>
            {token.tokens.map((part) => (part.type === 'text' ? <bdi key={part.raw}>{node(part)}</bdi> : node(part)))}
          </li>
        );
      case 'checkbox':
        return token.checked ? '☑ ' : '☐ ';
      case 'table':
        return (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
          <div class={styles.table} tabIndex={0} dir={directionOf(token)}>
            <table>
              <thead>{row(token.header, 'th')}</thead>
              <tbody>{token.rows.map((cells) => row(cells, 'td'))}</tbody>
            </table>
          </div>
        );
      case 'code':
        return (
          <figure class={styles.code} dir="ltr">
            <figcaption class="small muted">
              <span>{token.lang}</span>
              <CopyButton icon="copy" size="small" title={shared.value.copyCode} text={token.text} />
            </figcaption>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
            <pre tabIndex={0}>
              <code>{coloured(token.text, token.lang ?? '')}</code>
            </pre>
          </figure>
        );
      case 'hr':
      case 'br':
        return h(token.type, null);
      case 'codespan':
        return <code>{token.text}</code>;
      case 'link':
        return link(token.href, inside(token));
      case 'image':
        return link(token.href, token.text === '' ? token.href : token.text);
      case 'text':
        return inside(token);
      case 'html':
        return token.block === true ? <p dir="auto">{token.text.trimEnd()}</p> : token.text;
      case 'escape':
        return token.text;
      default:
        return token satisfies never;
    }
  };
  return tokens.map(node);
};

/** A text as Markdown, with copyable code. */
export const MarkdownBody = ({ text }: { text: string }) => (
  <div class={styles.markdown}>{useMemo(() => markdownNodes(text), [text])}</div>
);

/** The words of a table's cells, in their order. */
const cellWords = ({ header, rows }: Tokens.Table): ComponentChildren =>
  [header, ...rows].flat().map(({ tokens }, i) => [i === 0 ? '' : ' · ', ...tokens.map(inLine)]);

const wordsOf = (token: MarkedToken): ComponentChildren => {
  if (token.type === 'table') return cellWords(token);
  const parts = within(token);
  if (parts.length > 0) return parts.map(inLine);
  return 'text' in token ? token.text : ' ';
};

const inLine = (any: Token): ComponentChildren => {
  const token = any as MarkedToken;
  const words = wordsOf(token);
  switch (token.type) {
    case 'strong':
    case 'em':
      return h(token.type, null, words);
    case 'codespan':
      return <code>{words}</code>;
    case 'heading':
    case 'paragraph':
    case 'list_item':
    case 'table':
      return [words, ' '];
    default:
      return words;
  }
};

const wordNodes = (text: string): ComponentChildren => {
  const begin = text.slice(0, MARKDOWN_CHARS_MAX);
  return tokensOf(begin)?.map(inLine) ?? begin;
};

/**
 * A text as Markdown in a single run of words, which may be inside a link: blocks follow each other, and nothing in it
 * is clickable.
 */
export const MarkdownWords = ({ text }: { text: string }) => <>{useMemo(() => wordNodes(text), [text])}</>;
