import { messages } from '../../contracts/messages/messages.ts';
import { plainLine } from '../../contracts/plain-line.ts';
import type { PlanItem } from '../../contracts/plan.ts';
import type { TaskSnapshot } from '../../contracts/task.ts';
import type { DecisionLog } from './decision-log.ts';
import { allItems } from './item-counts.ts';
import { planMark } from './plan-mark.ts';

/** Longest goal or question, and longest step or result, in characters. */
const PARAGRAPH_CHARS_MAX = 2_000;
const STEP_CHARS_SHOWN_MAX = 300;

/** Text from people, models and tools as one line of Markdown that reads as text: no HTML, hidden link, heading or list of theirs. */
const plain = (text: string, max: number): string =>
  plainLine(text, max)
    .replace(/[\\`*[\]~]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/^\d+(?=[.)])/, '$&\\')
    .replace(/^[-+=#>|:]/, '\\$&');

const itemLines = ({ step, status, result }: PlanItem): string[] => {
  const line = `- ${planMark(status)} ${plain(step, STEP_CHARS_SHOWN_MAX)}`;
  return result === null ? [line] : [line, `  ${plain(result, STEP_CHARS_SHOWN_MAX)}`];
};

/**
 * The text of `MISSION.md` (SPEC 10): goal, plan with marks, log of decisions, open questions. The log is of the
 * same task. Only the content: it writes no file.
 */
export const mission = ({ state, context }: TaskSnapshot, { listed, earlier }: DecisionLog): string => {
  const { missionFile: texts } = messages(context.language);
  const decisions = listed.map(({ seq, text }) => `- ${seq}: ${plain(text, PARAGRAPH_CHARS_MAX)}`);
  const question = state === 'awaiting_user' ? context.last_ask_user_question : null;
  const items = allItems(context).flatMap(itemLines);
  return [
    `# ${texts.title(texts.state[state === 'done' && context.outcome === 'failed' ? 'failed' : state], texts.steps(context.step_count, context.step_limit))}`,
    '',
    `## ${texts.goal}`,
    '',
    plain(context.goal, PARAGRAPH_CHARS_MAX),
    '',
    `## ${texts.plan}`,
    '',
    ...(items.length === 0 ? [texts.noPlan] : items),
    '',
    `## ${texts.decisions}`,
    '',
    ...(earlier > 0 ? [`- ${texts.earlier(earlier)}`] : []),
    ...(decisions.length === 0 ? [texts.none] : decisions),
    '',
    `## ${texts.questions}`,
    '',
    question === null ? texts.none : plain(question, PARAGRAPH_CHARS_MAX),
    '',
  ].join('\n');
};
