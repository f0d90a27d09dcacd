import type { TraceEntry } from '../../../contracts/trace.ts';
import type { Difference } from '../../history/difference.ts';
import { isFeedbackLine } from '../../history/feedback-line.ts';
import { parseNdjson } from '../../history/parse-ndjson.ts';
import { isPageStart, linesOfPage } from '../../history/saved-page.ts';
import type { FoldedEntry } from '../../history/trace.ts';
import type { TaskFold } from '../fold/task-fold.ts';
import { createPace } from '../history/slices.ts';
import { bytesOf, loadFoldCode } from '../history/task-history.ts';
import { fileTexts, refusalText } from './texts.ts';

/** Largest file that is read, in MiB: the tab's memory holds all of it. */
export const FILE_MIB_MAX = 256;

/** A file that is not opened. Its message says why, in the user's language. */
class FileRefused extends Error {}

/** The part of a file that shows its type, in bytes. */
const HEAD_BYTES = 256;

/** One task of a trace file. */
export interface FileTask {
  id: string;
  goal: string;
  /** Its own entries, interleaved with its session's entries without a task. */
  entries: TraceEntry[];
  fold: TaskFold;
}

/** Contents of a trace file. */
export interface TraceFile {
  name: string;
  /** The number of entries that replay. */
  entries: number;
  /** Entries that no chain protects, because a version before chains wrote them. */
  unchained: number;
  /** The first difference; null: it replays. */
  difference: Difference | null;
  tasks: readonly FileTask[];
}

/**
 * Sorts entries by task. One without a task goes to the session's task that was opened last, or waits for the first.
 */
const createTasks = (createFold: () => TaskFold) => {
  const tasks = new Map<string, FileTask>();
  const current = new Map<string, FileTask>();
  const waiting = new Map<string, FoldedEntry[]>();
  const put = (task: FileTask | undefined, found: FoldedEntry): void => {
    task?.entries.push(found.entry);
    task?.fold.record(found);
  };
  const add = (found: FoldedEntry): void => {
    const { session_id: session, task_id, event } = found.entry;
    if (task_id === null) {
      const task = current.get(session);
      if (task === undefined) waiting.set(session, [...(waiting.get(session) ?? []), found]);
      else put(task, found);
      return;
    }
    if (event.type === 'task.opened') {
      const opened = { id: task_id, goal: event.goal, entries: [], fold: createFold() };
      tasks.set(task_id, opened);
      current.set(session, opened);
      for (const early of waiting.get(session) ?? []) put(opened, early);
      waiting.delete(session);
    }
    put(tasks.get(task_id), found);
  };
  return { tasks, add };
};

/** Why an entry cannot be read, in the user's language, with the trace code's exact reason. */
const asRefusal = (error: unknown, entry: number): unknown =>
  error instanceof Error && 'code' in error
    ? new FileRefused(fileTexts.value.notReadable(entry, refusalText(error.message)))
    : error;

/**
 * Reads a trace file, or the trace in a saved page, and folds it as the service replays traces: in this tab, and in
 * slices. Stops at the first difference. Throws `FileRefused` for a file that is too large, empty or not a trace.
 */
export const readTraceFile = async (file: File, onProgress: (part: number) => void): Promise<TraceFile> => {
  const texts = fileTexts.value;
  if (file.size > FILE_MIB_MAX * 1024 * 1024) throw new FileRefused(texts.tooLarge(FILE_MIB_MAX));
  const { createTraceFold, createTaskFold, sha256 } = await loadFoldCode();
  const trace = createTraceFold(sha256);
  const { tasks, add } = createTasks(createTaskFold);
  const pace = createPace();
  let entries = 0;
  let difference: Difference | null = null;
  try {
    let read = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform: (piece, to) => {
        read += piece.length;
        onProgress(read / file.size);
        to.enqueue(piece);
      },
    });
    const pieces = bytesOf(file.stream().pipeThrough(counted));
    const isPage = isPageStart(await file.slice(0, HEAD_BYTES).text());
    const refused = { without_trace: texts.pageWithoutTrace, cut: texts.pageCut };
    const lines = isPage ? linesOfPage(pieces, (why) => new FileRefused(refused[why])) : pieces;
    for await (const line of parseNdjson(lines)) {
      await pace();
      if (isFeedbackLine(line)) continue;
      const folded = trace.fold(line);
      if (!folded.ok) {
        difference = folded;
        break;
      }
      add(folded);
      entries += 1;
    }
  } catch (error) {
    throw asRefusal(error, entries + 1);
  }
  if (entries === 0 && difference === null) throw new FileRefused(texts.empty);
  const { unchained = 0 } = difference === null ? trace.end() : {};
  return { name: file.name, entries, unchained, difference, tasks: [...tasks.values()] };
};
