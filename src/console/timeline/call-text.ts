import type { TraceEntry } from '../../../contracts/trace.ts';
import { isRestOfMessage } from '../../history/rest-of-message.ts';
import type { IconName } from '../design/icon.tsx';
import { argumentOf, toolIcon } from '../history/call-of-tool.ts';
import type { TaskCall } from '../history/calls.ts';
import { eventTitle } from '../text/event-titles.ts';
import { entryText } from './entry-text.ts';
import { callTexts, timelineTexts } from './texts.ts';

/** A call in words. */
export interface CallWords {
  /** Null: the sign of what waits. */
  icon: IconName | null;
  title: string;
  /** Beside the title: what it is about. */
  note: string;
}

/** Longest note, in characters. */
const NOTE_CHARS_MAX = 200;

const short = (text: string): string => text.slice(0, NOTE_CHARS_MAX).replace(/\s+/g, ' ').trim();

/** How an answer begins: its first block, still as Markdown. */
const opening = (answer: string): string =>
  answer
    .slice(0, 2 * NOTE_CHARS_MAX)
    .trim()
    .split(/\n\s*\n/, 1)[0]!
    .slice(0, NOTE_CHARS_MAX);

/** The tools that are called, each once. */
const toolNames = (calls: readonly { tool: string }[]): string =>
  [...new Set(calls.map(({ tool }) => tool))].join(timelineTexts.value.listed);

/** That a model's answer was refused, or did not come. */
const lossNote = (event: TraceEntry['event'] | undefined): string =>
  event !== undefined && /^model\.|\.rejected$/.test(event.type) ? eventTitle(event) : '';

type Thought = Extract<TraceEntry['event'], { type: 'thought.made' }>;

/** The decision of a model's thought: to call tools, to ask, or that its item ends. */
const decisionOf = ({ status, outcome, next_action, more_actions = [] }: Thought): string => {
  const texts = callTexts.value;
  if (status === 'ask_user') return texts.asks;
  if (status === 'continue') return toolNames([...(next_action === null ? [] : [next_action]), ...more_actions]);
  return outcome === 'blocked' ? texts.itemBlocked : texts.itemDone;
};

/** The outcome of a model's thought. */
const thoughtNote = (event: TraceEntry['event'] | undefined): string =>
  event?.type === 'thought.made' ? callTexts.value.decides(decisionOf(event)) : lossNote(event);

/** The thing that a task waits for, by the entry that it waits since. */
const waitTitle = ({ event, state }: TraceEntry): string => {
  const texts = callTexts.value;
  if (state === 'paused') return texts.paused;
  if (event.type === 'plan.made') return texts.planToConfirm;
  if (event.type === 'tool.asked') return event.tool;
  if (event.type !== 'thought.made') return texts.question;
  return event.status === 'ask_user' ? texts.question : (event.next_action?.tool ?? texts.question);
};

const waitWords = (call: TaskCall, entries: readonly TraceEntry[]): CallWords => {
  const ended = call.to === null ? undefined : entries[call.to];
  const note = ended === undefined ? callTexts.value.waits : `${eventTitle(ended.event)} ${short(entryText(ended))}`;
  return { icon: null, title: waitTitle(entries[call.from]!), note };
};

const pointWords = (entry: TraceEntry): CallWords => {
  const { event } = entry;
  const text =
    event.type === 'replan.made' && event.status === 'done' ? opening(event.response ?? '') : short(entryText(entry));
  if (event.type === 'steer.received') return { icon: 'send', title: callTexts.value.you, note: short(event.text) };
  const note = isRestOfMessage(event) ? [callTexts.value.inSameMessage, text] : [text];
  return { icon: event.type === 'replan.made' ? 'replan' : 'more', title: eventTitle(event), note: note.join(' · ') };
};

/** A call's icon, title and note in the chosen language. Texts of models, tools and people are verbatim. */
export const callWords = (call: TaskCall, entries: readonly TraceEntry[]): CallWords => {
  const texts = callTexts.value;
  const { effect, kind } = call;
  if (kind === 'wait') return waitWords(call, entries);
  if (kind === 'point' || effect === null) return pointWords(entries[call.to ?? call.from]!);
  const event = call.to === null ? undefined : entries[call.to]!.event;
  switch (effect.type) {
    case 'model.plan':
      return { icon: 'plan', title: texts.plan, note: lossNote(event) };
    case 'model.thought':
      return { icon: 'think', title: texts.think, note: thoughtNote(event) };
    case 'model.replan':
      if (event?.type === 'replan.made' && event.status === 'done')
        return { icon: 'check', title: eventTitle(event), note: opening(event.response ?? '') };
      return { icon: 'replan', title: texts.replan, note: lossNote(event) };
    case 'tool.call':
      return { icon: toolIcon(effect.params.tool), title: effect.params.tool, note: argumentOf(effect.params.input) };
    case 'tool.batch': {
      const { calls } = effect.params;
      return { icon: 'box', title: toolNames(calls), note: texts.atOnce(calls.length) };
    }
    case 'verify.run':
      return { icon: 'check', title: texts.verify, note: '' };
    default:
      return effect satisfies never;
  }
};
