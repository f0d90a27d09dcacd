const MARKED = /^(?:[-*•]\s+|\d{1,3}[.)]\s+)?\[(?:step|步骤)(?:\s*\d{1,3})?\]\s*[:：]?\s*(?<step>.+)$/i;
const NUMBERED =
  /^(?:(?<number>\d{1,3})(?:[.)](?!\d)|[、．）])|[(（](?<bracketed>\d{1,3})[)）]|第(?<ordinal>[一二三四五六七八九十百\d]{1,4})步[：:，,、.]?|(?:step|步骤)\s*(?<named>[一二三四五六七八九十百\d]{1,4})[：:.、)])\s*(?<step>.+)$/i;
const BULLETED = /^[-*+•·‣–]\s+(?:\[[ xX]\]\s+)?(?<step>.+)$/;
const HAS_A_WORD = /[\p{L}\p{N}]/u;

interface Line {
  indent: number;
  text: string;
}

/**
 * The steps that prose lists, in order (SPEC 5, signal): lines `[Step] …`, else a list numbered from one, else a
 * dashed or bulleted one. What is indented below the first line of its kind is detail, not a step. Empty: no list.
 */
export function listSteps(prose: string): string[] {
  const lines = prose
    .split(/\r?\n/)
    .map((line) => ({ indent: line.length - line.trimStart().length, text: line.trim() }));
  for (const kind of [MARKED, NUMBERED, BULLETED]) {
    const steps = stepsOfKind(lines, kind);
    if (steps.length > 0) return steps;
  }
  return [];
}

function stepsOfKind(lines: Line[], kind: RegExp): string[] {
  let outermost: number | null = null;
  const steps: string[] = [];
  for (const { indent, text } of lines) {
    const found = kind.exec(text)?.groups;
    if (found === undefined || !HAS_A_WORD.test(found['step']!)) continue;
    if (outermost === null && !beginsAtOne(found)) return [];
    outermost ??= indent;
    if (indent <= outermost) steps.push(found['step']!);
  }
  return steps;
}

/** `404. That's an error.` begins no list. Marked and bulleted lines have no number to look at. */
function beginsAtOne(found: Record<string, string | undefined>): boolean {
  const number = found['number'] ?? found['bracketed'] ?? found['ordinal'] ?? found['named'];
  return number === undefined || number === '一' || Number(number) === 1;
}
