import type { ComponentChildren } from 'preact';
import styles from './markdown.module.css';

/** The signs of a family of languages. */
interface Signs {
  languages: RegExp;
  /** A comment, as a pattern that reads an unfinished one to its end. */
  comment: string;
  /** Quotes around a text; an unfinished one ends with its line, but for the last of these. */
  quotes: readonly string[];
}

/** Languages whose code is coloured. */
const FAMILIES: readonly Signs[] = [
  {
    languages: /^(?:[cm]?[jt]sx?|javascript|typescript|java|kotlin|go|c|cpp|cs|csharp|swift|php|s?css|json[5c]?)$/,
    comment: '//[^\\n]*|/\\*[\\s\\S]*?(?:\\*/|$)',
    quotes: ['"', "'", '`'],
  },
  { languages: /^(?:rs|rust)$/, comment: '//[^\\n]*|/\\*[\\s\\S]*?(?:\\*/|$)', quotes: ['"'] },
  {
    languages: /^(?:py|python|sh|bash|zsh|shell|console|rb|ruby|ya?ml|toml|ini|dockerfile|r|perl)$/,
    comment: '#[^\\n]*',
    quotes: ['"', "'"],
  },
  { languages: /^(?:sql|lua|haskell|hs)$/, comment: '--[^\\n]*', quotes: ['"', "'"] },
];

/** Words with a meaning in one of the languages or the other. */
const WORDS = [
  'abstract|and|as|async|await|bool|boolean|break|case|catch|class|const|continue|def|default|do|elif|else|enum',
  'export|extends|false|finally|fn|for|from|func|function|go|if|impl|implements|import|in|int|interface|is|let|match',
  'mut|new|nil|None|not|null|number|of|or|package|private|public|return|self|static|string|struct|super|switch|this',
  'throw|trait|true|True|False|try|type|typeof|undefined|union|use|using|var|void|while|with|yield',
  'SELECT|FROM|WHERE|INSERT|INTO|VALUES|UPDATE|SET|DELETE|CREATE|TABLE|JOIN|LEFT|ON|GROUP|ORDER|BY|LIMIT|AND|OR',
].join('|');

/** A text between quotes. Nothing in it is tried twice, whatever it holds. */
const textIn = (quote: string): string => `${quote}(?:\\\\[^]|[^${quote}\\\\${quote === '`' ? '' : '\\n'}])*${quote}?`;

const partsIn = ({ comment, quotes }: Signs): RegExp => {
  const text = quotes.map(textIn).join('|');
  return new RegExp(`(?<note>${comment})|(?<text>${text})|(?<number>\\b\\d[\\w.]*)|(?<word>\\b(?:${WORDS})\\b)`, 'g');
};

/** Code whose comments, texts, numbers and words differ by colour, if its language is a known one. */
export const coloured = (code: string, language: string): ComponentChildren => {
  const signs = FAMILIES.find(({ languages }) => languages.test(language.toLowerCase()));
  if (signs === undefined) return code;
  const nodes: ComponentChildren[] = [];
  let end = 0;
  for (const { 0: part, index, groups = {} } of code.matchAll(partsIn(signs))) {
    const kind = (['note', 'text', 'number', 'word'] as const).find((name) => groups[name] !== undefined);
    nodes.push(
      code.slice(end, index),
      <span key={index} class={kind && styles[kind]} data-part={kind}>
        {part}
      </span>,
    );
    end = index + part.length;
  }
  return [...nodes, code.slice(end)];
};
