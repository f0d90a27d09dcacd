import type { FastifyRequest } from 'fastify';
import type { Problem } from '../../../contracts/http.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { type Language, languageOf } from '../../../contracts/text.ts';
import type { TaskView, TurnView } from '../../../contracts/turn-view.ts';
import { NO_USAGE, type Usage } from '../../../contracts/usage.ts';
import { questionId } from '../../projections/question.ts';
import { reportedProblem } from '../server/problem.ts';
import type { ConversationUpdate } from './conversations.ts';

type Update<Type> = Extract<ConversationUpdate, { type: Type }>;
type Item = TaskView['plan'][number];

/** A part that stands open while texts are added to it; `key` is the same for all messages of one part. */
interface TextPart<Key, Out> {
  open?(key: Key): Out[];
  delta(text: string, key: Key): Out[];
  close?(text: string, key: Key): Out[];
}

/** The text after a retracted answer, where the protocol can't take it back. */
export const withdrawnNote = (language: Language): string => `\n\n(${messages(language).replies.withdrawn})\n\n`;

/** How a tool call ended: by its result, by the user's no, or by the reply or the problem that came instead. */
export interface CallEnd {
  ok: boolean;
  result: string;
  isDenied?: boolean;
}

export interface TurnRecord {
  turn: TurnView;
  /** The lines of its progress, each with its line end. */
  progress: string;
  usage: Usage;
}

/** A protocol's words for a turn: the messages on its wire for one opening, change or closing. What a protocol leaves out is not shown. */
export interface TurnRenderer<Out> {
  begin?(): Out[];
  task?(task: TaskView): Out[];
  answered?(answer: Update<'answer' | 'decision'>): Out[];
  /** The lines of progress up to the next tool call, or up to the reply; its key counts from 0. */
  reasoning?: TextPart<number, Out>;
  step?: { open(item: Item): Out[]; close(item: Item): Out[] };
  call?: { open(call: Update<'tool_call'>): Out[]; close(id: string, end: CallEnd): Out[] };
  /** The tool call, by its id, that an earlier turn showed to ask for approval. This turn closes it, once it is decided. */
  asked?: string | null;
  /** The reply. It is open while a model writes it, and then has no turn yet; `retract` in place of a note says that what was shown is void. */
  text?: TextPart<TurnView | null, Out> & { retract?(text: string): Out[] };
  /** The text of the reply, where it is another than the turn's output. */
  textOf?(turn: TurnView): string;
  /** The reply is shown when it is whole: a text that grows would be none of its form. */
  isWhole?: boolean;
  end?(record: TurnRecord): Out[] | Promise<Out[]>;
  /** The last messages where a turn can't be followed to its end, though it goes on; `closing` closes what is open. Without it the error is thrown. */
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

/** Opens and closes the parts of a turn in their order. */
const createParts = <Out>(renderer: TurnRenderer<Out>) => {
  const { reasoning, step, call } = renderer;
  let { asked = null } = renderer;
  let thought: { key: number; text: string } | null = null;
  let thoughts = 0;
  let item: Item | null = null;
  let isAnswered = false;
  let isActing = false;
  /** Open calls: under which id each is shown. */
  const calls = new Map<string, string>();
  let before: Usage | null = null;
  let after = NO_USAGE;
  let progress = '';
  let goal = '';
  /** The part of the reply that was shown while it was written; null: none is open. */
  let shown: string | null = null;

  const closeReasoning = (): Out[] => {
    if (thought === null) return [];
    const { key, text } = thought;
    thought = null;
    return reasoning?.close?.(text, key) ?? [];
  };
  const closeCall = (id: string, end: CallEnd): Out[] => [...closeReasoning(), ...(call?.close(id, end) ?? [])];
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
    return [...closed, ...closeReasoning(), ...toItem(null)];
  };

  const retract = (): Out[] => {
    if (shown === null || renderer.text === undefined) return [];
    const { text } = renderer;
    const note = withdrawnNote(languageOf(goal));
    const out = text.retract?.(shown) ?? [...text.delta(note, null), ...(text.close?.(shown + note, null) ?? [])];
    shown = null;
    return out;
  };

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
          const opened = thought === null ? (reasoning?.open?.(thoughts) ?? []) : [];
          thought ??= { key: thoughts++, text: '' };
          thought.text += line;
          const added = reasoning?.delta(line, thought.key) ?? [];
          return [...opened, ...added, ...(update.kind === 'answer' && !isActing ? deny(update.text) : [])];
        }
        case 'tool_call': {
          if (call === undefined) return [];
          const approved = isAnswered ? asked : null;
          calls.set(update.call_id, approved ?? update.call_id);
          if (approved === null) return [...closeReasoning(), ...call.open(update)];
          asked = null;
          return closeReasoning();
        }
        case 'tool_result': {
          // The result of a call that an earlier turn began is shown there.
          const id = calls.get(update.call_id);
          calls.delete(update.call_id);
          return id === undefined ? [] : closeCall(id, update);
        }
        case 'answer_delta': {
          const { text, isWhole = false } = renderer;
          // A part that comes before any progress has no place before it.
          if (text === undefined || isWhole || thoughts === 0) return [];
          const opened = shown === null ? (text.open?.(null) ?? []) : [];
          shown = (shown ?? '') + update.text;
          return [...opened, ...text.delta(update.text, null)];
        }
        case 'answer_retracted':
          return retract();
        default:
          return update satisfies never;
      }
    },
    /** The reply. Closes what was asked, where its task asks it no more. */
    finish: async (turn: TurnView): Promise<Out[]> => {
      const { text, end, textOf } = renderer;
      const output = textOf?.(turn) ?? turn.output ?? '';
      const isAskedStill = turn.task === null || questionId(turn.task) === asked;
      const closed = [...closeAll(output), ...(isAskedStill ? [] : deny(output))];
      const retracted = shown !== null && output.startsWith(shown) ? [] : retract();
      const rest = output.slice(shown?.length ?? 0);
      return [
        ...closed,
        ...retracted,
        ...(shown === null ? (text?.open?.(turn) ?? []) : []),
        ...(rest === '' ? [] : (text?.delta(rest, turn) ?? [])),
        ...(text?.close?.(output, turn) ?? []),
        ...((await end?.({ turn, progress, usage: usage() })) ?? []),
      ];
    },
  };
};

/** Renders a turn from its beginning to its end, and closes whatever it opens. Says nothing more to a client that has left. Gives the finished turn, or null behind a failure. */
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
        yield* await parts.finish(update.turn);
        return update.turn;
      }
    }
    throw new Error('a turn ended without being finished');
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
  throw new Error('a turn ended without being finished');
};
