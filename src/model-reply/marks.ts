/** What an agent that speaks in marks can say with one (SPEC 5, signal). */
export type Mark = 'step_done' | 'replan';

/**
 * Reads the mark that the last line is, whole; `before` is the text above it. A mark anywhere else is no signal.
 * Bracketed marks may be in any case, `STEP_DONE` and `REPLAN` are words only in capitals.
 */
export function readMark(prose: string): { mark: Mark; before: string } | null {
  const lastLineStart = prose.lastIndexOf('\n') + 1;
  const mark = markOf(prose.slice(lastLineStart).trim());
  return mark && { mark, before: prose.slice(0, lastLineStart).trim() };
}

function markOf(line: string): Mark | null {
  if (line === 'REPLAN') return 'replan';
  return line === 'STEP_DONE' || /^\[(?:done|step done|完成|步骤完成)\]$/i.test(line) ? 'step_done' : null;
}
