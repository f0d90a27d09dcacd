export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };
export type Answer = { [key: string]: Value };

type Commas = 'one' | 'trailing' | 'none after closers';

/** Damaged spellings of an answer: complete, but in the syntax of another language or of a careless writer. */
export interface Style {
  quotes: readonly [open: string, close: string];
  /** Keys without quotes. */
  bareKeys: boolean;
  words: { true: string; false: string; null: string };
  comma: string;
  colon: string;
  objectCommas: Commas;
  listCommas: Commas;
  /** Text between tokens. */
  gap: string;
  /** Strings of two parts, joined. */
  isJoined: boolean;
  /** Line breaks and tabs in strings as they are. */
  isRaw: boolean;
}

export const JSON_STYLE: Style = {
  quotes: ['"', '"'],
  bareKeys: false,
  words: { true: 'true', false: 'false', null: 'null' },
  comma: ',',
  colon: ':',
  objectCommas: 'one',
  listCommas: 'one',
  gap: '',
  isJoined: false,
  isRaw: false,
};

const quoted = (text: string, { quotes: [open, close], isRaw }: Style): string => {
  const json = JSON.stringify(text).slice(1, -1);
  const spelled = open === '"' ? json : json.replaceAll('\\"', '"').replaceAll(open, `\\${open}`);
  const closed = open === close || open === '"' ? spelled : spelled.replaceAll(close, `\\${close}`);
  return open + (isRaw ? closed.replaceAll(/(?<!\\)((?:\\\\)*)\\n/g, '$1\n') : closed) + close;
};

const string = (text: string, style: Style): string => {
  const half = Math.floor(text.length / 2);
  const isSplit = style.isJoined && text.length > 3 && text.slice(0, half).isWellFormed();
  return isSplit ? `${quoted(text.slice(0, half), style)} + ${quoted(text.slice(half), style)}` : quoted(text, style);
};

const endsInCloser = (text: string): boolean => /[}\])]$|(?:true|false|null|True|False|None|\d)$/.test(text);

const join = (parts: string[], commas: Commas, { comma, gap }: Style): string => {
  if (parts.length === 0) return '';
  const text = parts.reduce((all, part) => {
    const isLeftOut = commas === 'none after closers' && endsInCloser(all);
    return all + (isLeftOut ? ' ' : comma) + gap + part;
  });
  return text + (commas === 'trailing' ? comma : '');
};

/** Prints a value in a style. */
export const print = (value: Value, style: Style): string => {
  const { gap } = style;
  if (typeof value === 'string') return string(value, style);
  if (Array.isArray(value)) {
    const items = value.map((item) => print(item, style));
    return `[${gap}${join(items, style.listCommas, style)}${gap}]`;
  }
  if (typeof value !== 'object' || value === null) return style.words[String(value) as 'true'] ?? String(value);
  const entries = Object.entries(value).map(
    ([key, inner]) => (style.bareKeys ? key : quoted(key, style)) + gap + style.colon + gap + print(inner, style),
  );
  return `{${gap}${join(entries, style.objectCommas, style)}${gap}}`;
};
