/**
 * Begins the trace in a page that the console saved, on its own line. One entry a line follows, and then a line that
 * ends it. Texts of users, models and tools never contain it.
 */
export const TRACE_BEGIN = '<script type="application/json" id="trace">[';

/** Ends the trace in a page. */
export const TRACE_END = ']</script>';

/** Why a page has no trace to read: none at all, or it breaks off within it. */
export type PageFault = 'without_trace' | 'cut';

/** True if a file that begins so is a page, whatever its name is. */
export const isPageStart = (head: string): boolean => /^\uFEFF?\s*<(?:!doctype\s+html|html)/i.test(head);

/**
 * The entries of the trace in a saved page, one a line. Runs and shows nothing of the page. Throws the caller's error
 * for a page without a trace, and for one that breaks off within it.
 */
export async function* linesOfPage(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  fault: (why: PageFault) => Error,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let isInTrace = false;
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of [...lines, ...(rest.startsWith(TRACE_END) ? [rest] : [])]) {
      if (isInTrace && line.startsWith(TRACE_END)) return;
      if (isInTrace) yield `${line.replace(/,$/, '')}\n`;
      else isInTrace = line === TRACE_BEGIN;
    }
  }
  throw fault(isInTrace ? 'cut' : 'without_trace');
}
