import { stopButton } from './buttons.ts';
import type { Platform } from './platforms/platform.ts';
import { insist, pause } from './retry.ts';
import type { Turn } from './tripact.ts';

/** How much of the progress is shown, in characters: the newest of it, and little enough for every platform. */
const SHOWN_MAX = 1_500;

const MARKS: Readonly<Record<Turn['status'], string>> = {
  queued: '⏳',
  running: '⏳',
  answered: '✅',
  asking: '❓',
  paused: '⏸',
  failed: '❌',
  cancelled: '🛑',
  ran: '✅',
};

/** One message that shows how far a turn is. */
export interface Progress {
  /** Begins anew: the turn's lines come from its first on. */
  restart(): void;
  add(line: string): void;
  /** Shows the answer below the lines, as far as it is written. */
  write(answer: string): void;
  /** Says something below the lines, until there are others. */
  note(text: string): void;
  /** Shows all lines and how the turn ended; resolves when that is out, or cannot be shown. Nothing to show is no message. */
  finish(status: Turn['status']): Promise<void>;
}

/** Where a turn's progress is shown. */
export interface ProgressPlace {
  platform: Platform;
  thread: string;
  turn: string;
  /** The message that is there from before a restart of the bot. */
  message: string | null;
  /** The texts that choose the button's language. */
  sample: string;
  /** Keeps the message's id. */
  posted(message: string): void;
  signal: AbortSignal;
}

/** The newest lines, as many as are shown. */
const newest = (lines: readonly string[]): string => {
  let text = lines.join('\n');
  if (text.length > SHOWN_MAX) text = `…${text.slice(-SHOWN_MAX).replace(/^[^\n]*/, '')}`;
  return text;
};

/** Shows progress as one message that is edited as often as the platform takes it, and no oftener. */
export const createProgress = ({
  platform,
  thread,
  turn,
  sample,
  posted,
  signal,
  ...place
}: ProgressPlace): Progress => {
  let message = place.message;
  let lines: string[] = [];
  let extra: string | null = null;
  let answer = '';
  let isRestarted = false;
  let version = 0;
  let shown = '';
  let drawing: Promise<void> | null = null;

  const draw = async (status: Turn['status']): Promise<void> => {
    const text = [MARKS[status], newest([...lines, extra ?? '', status === 'running' ? answer : ''].filter(Boolean))]
      .filter(Boolean)
      .join(' ');
    const isOver = status !== 'running';
    if (text === shown) return;
    // A turn that has not begun has nothing to stop.
    const buttons = isOver || lines.length === 0 ? [] : [stopButton(turn, sample)];
    if (message === null) {
      message = await platform.post(thread, text, buttons);
      posted(message);
    } else if (platform.editEveryMs !== null) await platform.edit(thread, message, text, buttons);
    shown = text;
  };

  /** Draws what is new, and again as long as there is something newer, at the platform's pace. A failed drawing is made up for by the next. */
  const keepDrawing = async (pace: number): Promise<void> => {
    let drawn: number;
    do {
      drawn = version;
      await draw('running').catch(() => {});
      await pause(pace, AbortSignal.any([signal, hurry.signal]));
    } while (!hurry.signal.aborted && !signal.aborted && drawn !== version);
    drawing = null;
  };
  const hurry = new AbortController();
  const changed = (): void => {
    version++;
    const { editEveryMs } = platform;
    // On a platform without edits it is shown once, with its first line.
    if (editEveryMs === null && message !== null) return;
    if (!hurry.signal.aborted) drawing ??= keepDrawing(editEveryMs ?? 0);
  };

  return {
    restart: () => {
      isRestarted = true;
    },
    add: (line) => {
      // The last text stays until there is another one.
      if (isRestarted) [lines, answer] = [[], ''];
      isRestarted = false;
      extra = null;
      lines.push(line);
      changed();
    },
    write: (text) => {
      answer = text;
      changed();
    },
    note: (text) => {
      const isNew = extra !== text;
      extra = text;
      if (platform.editEveryMs !== null) changed();
      else if (isNew) void platform.post(thread, `${MARKS.running} ${text}`, []).catch(() => {});
    },
    finish: async (status) => {
      hurry.abort();
      await drawing;
      extra = null;
      if (message === null && lines.length === 0) return;
      // The result matters more than this message, and waits for it only once.
      await insist(() => draw(status), signal, 2).catch(() => {});
    },
  };
};
