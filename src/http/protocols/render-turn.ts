import type { FastifyRequest } from 'fastify';
import type { Problem } from '../../../contracts/http.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { type Language, languageOf } from '../../../contracts/text.ts';
import type { TaskView, TurnView } from '../../../contracts/turn-view.ts';
import { NO_USAGE, type Usage } from '../../../contracts/usage.ts';
import { questionId } from '../../projections/question.ts';
import { reportedProblem } from '../server/problem.ts';
import type { ConversationUpdate, FinishedTurn } from './conversations.ts';

type Update<Type> = Extract<ConversationUpdate, { type: Type }>;
type Item = TaskView['plan'][number];

/** A part that stays open while texts are appended; `key` identifies it in all its messages. */
interface TextPart<Key, Out> {
  open?(key: Key): Out[];
  delta(text: string, key: Key): Out[];
  close?(text: string, key: Key): Out[];
}

/** The text that follows a retracted answer where the protocol cannot take it back. */
export const withdrawnNote = (language: Language): string => `\n\n(${messages(language).replies.withdrawn})\n\n`;

/** How a tool call ended: with its result, with the user's refusal, or with the reply or problem that came instead. */
export interface CallEnd {
  ok: boolean;
  result: string;
  isDenied?: boolean;
}

export interface TurnRecord extends FinishedTurn {
  /** Its progress lines, each with a line end. */
  progress: string;
  usage: Usage;
}

/**
 * A protocol's rendering of a turn: the wire messages for each opening, change and closing. Parts that a protocol
 * leaves out are not shown.
 */
export interface TurnRenderer<Out> {
  begin?(): Out[];
  task?(task: TaskView): Out[];
  answered?(answer: Update<'answer' | 'decision'>): Out[];
  /** Progress lines up to the next tool call or the reply; keys count from 0. */
  reasoning?: TextPart<number, Out>;
  step?: { open(item: Item): Out[]; close(item: Item): Out[] };
  call?: { open(call: Update<'tool_call'>): Out[]; close(id: string, end: CallEnd): Out[] };
  /**
   * The id of a tool call that an earlier turn showed in order to ask for approval. This turn closes it once it is
   * decided.
   */
  asked?: string | null;
  /**
   * The reply. While a model writes it, it is open and its turn is not finished (null); `retract` takes back the shown text, where the
   * default is a note.
   */
  text?: TextPart<FinishedTurn | null, Out> & { retract?(text: string): Out[] };
  /** The text of the reply, where it differs from the turn's output. */
  textOf?(finished: FinishedTurn): string;
  /** The reply is shown only when complete: partial text would not have its format. */
  isWhole?: boolean;
  end?(record: TurnRecord): Out[] | Promise<Out[]>;
  /**
   * The last messages where a turn cannot be followed to its end although it continues; `closing` closes what is open.
   * Without it the error is thrown.
   */
  fail?(problem: Problem, usage: Usage, closing: Out[]): Out[];
}

const itemInWork = ({ plan, current_plan_index, state }: TaskView): Item | null => {
  const item = plan[current_plan_index];
  return item?.status === 'in_progress' && (state === 'thinking' || state === 'acting') ? item : null;
};

const usageBetween = (before: Usage, after: Usage): Usage => ({
  input_tokens: after.input_tokens - before.input_tokens,
  output_tokens: after.output_tokens - before.output_tokens,
  cache_written_tokens: after.cache_written_tokens - before.cache_written_tokens,
  cache_read_tokens: after.cache_read_tokens - before.cache_read_tokens,
});

/** The progress lines of a turn: one part up to each tool call, and up to the reply. */
const createReasoning = <Out>(part: TurnRenderer<Out>['reasoning']) => {
  let thought: { key: number; text: string } | null = null;
  let thoughts = 0;
  return {
    hasBegun: (): boolean => thoughts > 0,
    add: (line: string): Out[] => {
      const opened = thought === null ? (part?.open?.(thoughts) ?? []) : [];
      thought ??= { key: thoughts++, text: '' };
      thought.text += line;
      return [...opened, ...(part?.delta(line, thought.key) ?? [])];
    },
    close: (): Out[] => {
      if (thought === null) return [];
      const { key, text } = thought;
      thought = null;
      return part?.close?.(text, key) ?? [];
    },
  };
};

/** The reply, which may be shown while a model writes it. */
const createReply = <Out>({ text: part, isWhole = false }: TurnRenderer<Out>) => {
  /** The text that was shown so far; null: nothing is open. */
  let shown: string | null = null;
  const retract = (language: Language): Out[] => {
    if (shown === null || part === undefined) return [];
    const note = withdrawnNote(language);
    const out = part.retract?.(shown) ?? [...part.delta(note, null), ...(part.close?.(shown + note, null) ?? [])];
    shown = null;
    return out;
  };
  return {
    retract,
    add: (piece: string): Out[] => {
      if (part === undefined || isWhole) return [];
      const opened = shown === null ? (part.open?.(null) ?? []) : [];
      shown = (shown ?? '') + piece;
      return [...opened, ...part.delta(piece, null)];
    },
    /** Shows what is missing of the complete text. Text that was shown and is no part of it is taken back. */
    finish: (text: string, finished: FinishedTurn, language: Language): Out[] => {
      const retracted = shown !== null && text.startsWith(shown) ? [] : retract(language);
      const rest = text.slice(shown?.length ?? 0);
      return [
        ...retracted,
        ...(shown === null ? (part?.open?.(finished) ?? []) : []),
        ...(rest === '' ? [] : (part?.delta(rest, finished) ?? [])),
        ...(part?.close?.(text, finished) ?? []),
      ];
    },
  };
};

/** Opens and closes the parts of a turn in order. */
const createParts = <Out>(renderer: TurnRenderer<Out>) => {
  const { step, call } = renderer;
  const reasoning = createReasoning(renderer.reasoning);
  const reply = createReply(renderer);
  let { asked = null } = renderer;
  let item: Item | null = null;
  let isAnswered = false;
  let isActing = false;
  /** Open calls, each with the id under which it is shown. */
  const calls = new Map<string, string>();
  let before: Usage | null = null;
  let after = NO_USAGE;
  let progress = '';
  let goal = '';

  const closeCall = (id: string, end: CallEnd): Out[] => [...reasoning.close(), ...(call?.close(id, end) ?? [])];
  const deny = (result: string): Out[] => {
    if (asked === null) return [];
    const id = asked;
    asked = null;
    return closeCall(id, { ok: false, result, isDenied: true });
  };
  const toItem = (next: Item | null): Out[] => {
    if (step === undefined || item?.id === next?.id) return [];
    const closed = item === null ? [] : step.close(item);
    item = next;
    return next === null ? closed : [...closed, ...step.open(next)];
  };
  const usage = (): Usage => usageBetween(before ?? after, after);
  const closeAll = (result: string): Out[] => {
    const closed = [...calls.values()].flatMap((id) => closeCall(id, { ok: false, result }));
    calls.clear();
    return [...closed, ...reasoning.close(), ...toItem(null)];
  };

  const retract = (): Out[] => reply.retract(languageOf(goal));

  return {
    usage,
    closeAll: (result: string): Out[] => [...closeAll(result), ...retract()],
    show: (update: Exclude<ConversationUpdate, { type: 'finished' }>): Out[] => {
      switch (update.type) {
        case 'task':
          after = update.task.usage;
          before ??= after;
          goal = update.task.goal;
          isActing = update.task.state === 'acting';
          return [...(renderer.task?.(update.task) ?? []), ...toItem(itemInWork(update.task))];
        case 'answer':
        case 'decision':
          isAnswered = true;
          return renderer.answered?.(update) ?? [];
        case 'progress': {
          const line = `${update.text}\n`;
          progress += line;
          return [...reasoning.add(line), ...(update.kind === 'answer' && !isActing ? deny(update.text) : [])];
        }
        case 'tool_call': {
          if (call === undefined) return [];
          const approved = isAnswered ? asked : null;
          calls.set(update.call_id, approved ?? update.call_id);
          if (approved === null) return [...reasoning.close(), ...call.open(update)];
          asked = null;
          return reasoning.close();
        }
        case 'tool_result': {
          // The result of a call from an earlier turn is shown at that call.
          const id = calls.get(update.call_id);
          calls.delete(update.call_id);
          return id === undefined ? [] : closeCall(id, update);
        }
        case 'answer_delta':
          // The answer needs a place after progress; before any, it waits.
          return reasoning.hasBegun() ? reply.add(update.text) : [];
        case 'answer_retracted':
          return retract();
        default:
          return update satisfies never;
      }
    },
    /** The reply. Closes a pending question that its task no longer asks. */
    finish: async (finished: FinishedTurn): Promise<Out[]> => {
      const { end, textOf } = renderer;
      const { turn } = finished;
      const output = textOf?.(finished) ?? turn.output ?? '';
      const isAskedStill = turn.task === null || questionId(turn.task) === asked;
      return [
        ...closeAll(output),
        ...(isAskedStill ? [] : deny(output)),
        ...reply.finish(output, finished, languageOf(goal)),
        ...((await end?.({ ...finished, progress, usage: usage() })) ?? []),
      ];
    },
  };
};

/**
 * Renders a turn from its beginning to its end and closes everything that it opened. Sends nothing to a client that has
 * left. Returns the finished turn, or null after a failure.
 */
export async function* renderTurn<Out>(
  updates: AsyncIterable<ConversationUpdate>,
  renderer: TurnRenderer<Out>,
  client?: { request: FastifyRequest; signal: AbortSignal },
): AsyncGenerator<Out, TurnView | null, undefined> {
  const parts = createParts(renderer);
  yield* renderer.begin?.() ?? [];
  try {
    for await (const update of updates) {
      if (update.type !== 'finished') yield* parts.show(update);
      else {
        yield* await parts.finish({ turn: update.turn, files: update.files });
        return update.turn;
      }
    }
    throw new Error('the updates of a turn ended before it was finished');
  } catch (error) {
    if (client === undefined || client.signal.aborted || renderer.fail === undefined) throw error;
    const problem = reportedProblem(error as Error, client.request);
    yield* renderer.fail(problem, parts.usage(), parts.closeAll(problem.detail));
    return null;
  }
}

/** Reads a turn to its end. */
export const readTurn = async (updates: AsyncIterable<ConversationUpdate>): Promise<TurnRecord> => {
  for await (const record of renderTurn(updates, { end: (record) => [record] })) return record;
  throw new Error('the updates of a turn ended before it was finished');
};
