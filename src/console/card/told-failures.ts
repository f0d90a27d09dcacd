/** The facts in the machine's question about an item that failed again and again (`failuresQuestion` in `machines/`). */
export interface ToldFailures {
  /** How often it failed in a row; null: it does not say so. */
  times: number | null;
  /** Why, each once, without the names of tools. */
  reasons: readonly string[];
  /** Other reasons to ask, in the machine's words. */
  remarks: string;
}

const NUMBERED = /^\d+\. /;

/** The text behind the first colon; undefined: none. */
const afterColon = (text: string): string | undefined => {
  const at = text.search(/[:：]/);
  return (at === -1 ? '' : text.slice(at + 1).trimStart()) || undefined;
};

/** A tool's failure without its name, which the machine puts before it, and the tool's service once more. */
const withoutTool = (reason: string): string => {
  const [, name = '', rest = ''] = /^([\w.-]+): (.+)$/s.exec(reason) ?? [];
  if (rest === '') return reason;
  return (rest.startsWith(name) ? afterColon(rest) : undefined) ?? rest;
};

/** Reads the question about an item: remarks, the number of failures, their list, and "What should I do?" as the last line. */
export const failuresIn = (question: string, step: string): ToldFailures => {
  const lines = question.trim().split('\n').slice(0, -1);
  const first = lines.findIndex((line) => NUMBERED.test(line));
  if (first === -1) return { times: null, reasons: [], remarks: lines.join('\n').trim() };
  const times = /\d+/.exec((lines[first - 1] ?? '').replace(step, ''))?.[0];
  const reasons: string[] = [];
  for (const line of lines.slice(first))
    if (NUMBERED.test(line)) reasons.push(line.replace(NUMBERED, ''));
    else reasons.push(`${reasons.pop()}\n${line}`);
  return {
    times: times === undefined ? null : Number(times),
    reasons: reasons.map((reason) => withoutTool(reason.trim())),
    remarks: lines
      .slice(0, Math.max(0, first - 1))
      .join('\n')
      .trim(),
  };
};
