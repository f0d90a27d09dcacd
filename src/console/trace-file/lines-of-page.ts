/**
 * Begins the trace in a page, on its own line. One entry a line follows, and then a line that ends it. Texts of users,
 * models and tools never contain it.
 */
export const TRACE_BEGIN = '<script type="application/json" id="trace">[';

/** Ends the trace in a page. */
export const TRACE_END = ']</script>';

/** A file that is not opened. Its message says why, in the user's language. */
export class FileRefused extends Error {}

/** The part of a file that shows its type, in bytes. */
const HEAD_BYTES = 256;

/** True if a file is a page, whatever its name is. */
export const isPage = async (file: File): Promise<boolean> =>
  /^\uFEFF?\s*<(?:!doctype\s+html|html)/i.test(await file.slice(0, HEAD_BYTES).text());

/**
 * The entries of the trace in a saved page, one a line. Runs and shows nothing of the page. Throws `FileRefused` with
 * one of the messages for a page without a trace, and for one that breaks off within it.
 */
export async function* linesOfPage(
  pieces: AsyncIterable<Uint8Array>,
  refusals: { withoutTrace: string; cut: string },
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
  throw new FileRefused(isInTrace ? refusals.cut : refusals.withoutTrace);
}
