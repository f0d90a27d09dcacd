/** A single statement for many rows of values, in place of one statement for each row. */
export interface ManyRows {
  /** The values of a row by name, in the order in which the statement takes their lists. */
  readonly names: readonly string[];
  /**
   * The names whose values identify the written row. PostgreSQL writes a row once in a statement, so rows with equal
   * values go into separate statements. Null: any rows can be combined.
   */
  readonly keys: readonly string[] | null;
  /** The statement, given PostgreSQL's type of each value. */
  text(types: readonly string[]): string;
}

/** The text with a dot for each character inside parentheses or quotes. */
const topLevel = (text: string): string => {
  let depth = 0;
  let isQuoted = false;
  return text.replaceAll(/[\s\S]/g, (character) => {
    if (character === "'") isQuoted = !isQuoted;
    if (isQuoted) return '.';
    if (character === ')') depth -= 1;
    const shown = depth === 0 ? character : '.';
    if (character === '(') depth += 1;
    return shown;
  });
};

/** Splits a text at a separator outside parentheses and quotes. */
const cut = (text: string, separator: string): string[] => {
  const shown = topLevel(text);
  const parts: string[] = [];
  let from = 0;
  for (let at = shown.indexOf(separator); at !== -1; at = shown.indexOf(separator, from)) {
    parts.push(text.slice(from, at));
    from = at + separator.length;
  }
  return [...parts, text.slice(from)].map((part) => part.trim());
};

const namesIn = (text: string): string[] => [...text.matchAll(/@(\w+)/g)].map(([, name]) => name!);

/** Makes the statement from a text in which `{rows}` stands for the rows of values. */
const manyOf = (text: string, keys: readonly string[] | null): ManyRows => {
  const names = [...new Set(namesIn(text))];
  const columns = names.map((_, number) => `v${number}`);
  const placed = text.replaceAll(/@(\w+)/g, (_, name: string) => `r.v${names.indexOf(name)}`);
  return {
    names,
    keys,
    text: (types) => {
      const lists = types.map((type, number) => `$${number + 1}::${type}[]`);
      return placed.replace('{rows}', () => `unnest(${lists.join(', ')}) AS r(${columns.join(', ')})`);
    },
  };
};

const INSERT = /^INSERT INTO \w+ \(([^()]*)\)\s+VALUES (\([\s\S]*)$/;
const UPSERT = /^ON CONFLICT \(([^()]*)\) DO UPDATE SET\b/;

const manyInserts = (sql: string): ManyRows | null => {
  const [, columns = '', behind = ''] = INSERT.exec(sql) ?? [];
  const end = topLevel(behind).indexOf(')') + 1;
  const tail = behind.slice(end).trim();
  if (end === 0 || /@|\bRETURNING\b/.test(tail)) return null;
  const values = behind.slice(1, end - 1);
  const head = sql.slice(0, sql.length - behind.length).replace(/VALUES $/, '');
  const text = `${head}SELECT ${values} FROM {rows} ${tail}`.trim();
  if (tail === '' || tail === 'ON CONFLICT DO NOTHING') return manyOf(text, null);
  const [, conflict] = UPSERT.exec(tail) ?? [];
  if (conflict === undefined) return null;
  const written = new Map(cut(columns, ',').map((column, number) => [column, cut(values, ',')[number] ?? '']));
  return manyOf(
    text,
    cut(conflict, ',').flatMap((column) => namesIn(written.get(column) ?? '')),
  );
};

const manyUpdates = (sql: string): ManyRows | null => {
  const [set = '', condition = '', ...more] = cut(sql, ' WHERE ');
  const equal = cut(condition, ' AND ').map((each) => /^\w+ = @(\w+)$/.exec(each)?.[1]);
  if (more.length > 0 || !equal.every((name) => name !== undefined)) return null;
  return manyOf(`${set} FROM {rows} WHERE ${condition}`, equal);
};

const manyDeletes = (sql: string): ManyRows | null => {
  const [table = '', condition = '', ...more] = cut(sql, ' WHERE ');
  if (condition === '' || more.length > 0 || /\bRETURNING\b/.test(sql)) return null;
  return manyOf(`${table} USING {rows} WHERE ${condition}`, null);
};

/**
 * The same statement for many rows of values: an INSERT … VALUES, an UPDATE of rows by equal values, or a DELETE,
 * without returned rows. Null for any other statement, and for one without values. In its text, `@name` stands for a
 * value.
 */
export const manyRows = (sql: string): ManyRows | null => {
  const text = sql.replaceAll(/\s+/g, ' ').trim();
  if (namesIn(text).length === 0) return null;
  if (text.startsWith('INSERT ')) return manyInserts(text);
  if (text.startsWith('UPDATE ')) return manyUpdates(text);
  return text.startsWith('DELETE ') ? manyDeletes(text) : null;
};
