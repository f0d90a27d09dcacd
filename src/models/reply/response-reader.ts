/** Text that may precede the object: reasoning that is removed, and the start of a code fence. */
const BEFORE = /^\s*(?:<think(?:ing)?>[\s\S]*<\/think(?:ing)?>\s*)?(?:```\w*\s*)?$/;

/** The end of a run of plain characters in a JSON string. */
const SPECIAL = /["\\]/g;

const HIGH_SURROGATE = /[\ud800-\udbff]$/;

/** A text as it is stored. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/**
 * Creates a reader of an answer that arrives in pieces. Once `status` is "done", or at once if the object begins with
 * it, it passes on `response` as it arrives. Decides nothing.
 */
export const createResponseReader = (
  give: (text: string) => void,
  begun: 'done' | null = null,
): ((piece: string) => void) => {
  let before: string | null = '';
  let depth = 0;
  let isValue = false;
  let isOver = false;
  /** Null outside of strings. */
  let string: string | null = null;
  let escaped = '';
  let key = '';
  let status: string | null = begun;
  let response = '';

  /** The keys and the values of strings at the top are kept; those inside are passed over. */
  const isKept = (): boolean => depth === 1 && (!isValue || key === 'status' || key === 'response');

  const add = (text: string): void => {
    if (!isKept()) return;
    if (isValue && key === 'response') response += text;
    else string += text;
  };

  const end = (): void => {
    if (depth === 1 && !isValue) key = string ?? '';
    else if (depth === 1 && key === 'status') {
      status = string;
      isOver = status !== 'done';
    }
    string = null;
  };

  const addEscape = (character: string): void => {
    escaped += character;
    if (escaped.length === 1 || (escaped[1] === 'u' && escaped.length < 6)) return;
    try {
      add(JSON.parse(`"${escaped}"`) as string);
    } catch {
      isOver = true;
    }
    escaped = '';
  };

  const take = (character: string): void => {
    if (character === '"') string = '';
    else if (character === ':') isValue = true;
    else if (character === ',' && depth === 1) isValue = false;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      isOver = depth === 0;
    }
  };

  return (piece) => {
    for (let i = 0; i < piece.length && !isOver; ) {
      if (before !== null) {
        const at = piece.indexOf('{', i);
        before += piece.slice(i, at === -1 ? undefined : at);
        if (at === -1) return;
        i = at;
        if (BEFORE.test(before)) before = null;
        else if (/^\s*<think/.test(before)) before += piece[i++];
        else isOver = true;
      } else if (escaped !== '') addEscape(piece[i++]!);
      else if (string === null) take(piece[i++]!);
      else {
        SPECIAL.lastIndex = i;
        const at = SPECIAL.exec(piece)?.index ?? piece.length;
        add(piece.slice(i, at));
        i = at + 1;
        if (piece[at] === '\\') addEscape('\\');
        else if (piece[at] === '"') end();
      }
    }
    if (status !== 'done' || response === '') return;
    // Half of a surrogate pair waits for its other half.
    const half = HIGH_SURROGATE.exec(response)?.[0] ?? '';
    const whole = response.slice(0, response.length - half.length);
    response = half;
    if (whole !== '') give(storable(whole));
  };
};
