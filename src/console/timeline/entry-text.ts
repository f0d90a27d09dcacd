import type { ApprovalVerdict, PlanItemAnswer } from '../../../contracts/answer.ts';
import type { TraceEntry } from '../../../contracts/trace.ts';
import { byText } from '../text/by-text.ts';
import { observationsOf } from './observations.ts';
import { entryTexts } from './texts.ts';

/** Longest part of a text in a row, in characters. The entry itself shows all of it. */
const LINE_CHARS_MAX = 200;

const line = (text: string | null | undefined): string => {
  const whole = (text ?? '')
    .slice(0, 2 * LINE_CHARS_MAX)
    .replace(/\s+/g, ' ')
    .trim();
  return whole.length > LINE_CHARS_MAX ? `${whole.slice(0, LINE_CHARS_MAX)}…` : whole;
};

const withReason = (text: string, reason: string): string =>
  reason === '' ? text : entryTexts.value.because(text, reason);

const steps = (plan: readonly PlanItemAnswer[]): string =>
  plan.map((item) => line(typeof item === 'string' ? item : item.step)).join(' · ');

/** The verdict of an action's policy, in words. */
const verdictText = (approval: ApprovalVerdict | undefined): string[] => {
  if (approval === undefined) return [];
  const { verdict, summary, reason } = approval;
  return [withReason(entryTexts.value[verdict], line(summary ?? reason))];
};

const thoughtText = (event: Extract<TraceEntry['event'], { type: 'thought.made' }>): string => {
  const texts = entryTexts.value;
  const { status, next_action: action, more_actions: more, question, response, outcome } = event;
  switch (status) {
    case 'continue':
      return action === null
        ? texts.goesOn
        : [
            ...[action, ...(more ?? [])].map(({ tool, input }) => `${tool}  ${line(input)}`),
            ...verdictText(event.approval),
          ].join(' · ');
    case 'ask_user':
      return texts.asks(line(question));
    case 'done':
      return withReason(outcome === 'blocked' ? texts.itemBlocked : texts.itemDone, line(response));
    default:
      return status satisfies never;
  }
};

const decisionText = ({ decision }: Extract<TraceEntry['event'], { type: 'decision.received' }>): string => {
  const texts = entryTexts.value;
  const said = decision.type === 'edit' ? texts.edit(line(decision.input)) : texts[decision.type];
  return withReason(said, line(decision.reason));
};

const goalText = ({ goal, late, skipped, reason }: Extract<TraceEntry['event'], { type: 'goal.due' }>): string => {
  const texts = entryTexts.value;
  const shown = late ? texts.late(line(goal)) : line(goal);
  return skipped === undefined ? shown : withReason(texts.skipped(shown), line(reason) || texts.unfinished);
};

/** An event in one line, without who sent it. */
const eventText = (event: TraceEntry['event']): string => {
  const texts = entryTexts.value;
  switch (event.type) {
    case 'task.opened':
      return line(event.goal);
    case 'plan.made':
      return event.plan.length === 0 ? texts.noSteps : steps(event.plan);
    case 'thought.made':
      return thoughtText(event);
    case 'replan.made':
      return event.status === 'done' ? line(event.response) : texts.left(steps(event.plan));
    case 'plan.rejected':
    case 'thought.rejected':
    case 'replan.rejected':
    case 'model.unavailable':
    case 'quota.exhausted':
      return line(event.reason);
    case 'observation.recorded':
    case 'observations.recorded':
      return observationsOf(event)
        .map(({ tool, ok, result }) => `${ok ? '✓' : '✗'} ${tool}  ${line(result)}`)
        .join(' · ');
    case 'tool.asked':
      return event.requests.map(({ message }) => `${event.server}  ${line(message)}`).join(' · ');
    case 'verification.finished':
      return `${event.ok ? '✓' : '✗'} ${line(event.output)}`;
    case 'effect.abandoned':
      return texts.abandoned(event.begins);
    case 'machine.changed':
      return `${event.from} → ${event.to}: ${line(event.reason)}`;
    case 'answer.received':
    case 'steer.received':
      return line(event.text);
    case 'decision.received':
      return decisionText(event);
    case 'plan.edited':
      return texts.edits(event.edits.length);
    case 'question.expired':
    case 'task.resumed':
    case 'task.cancelled':
      return '';
    case 'result.superseded':
      return line(event.outcome);
    case 'reminder.due':
      return line(event.text);
    case 'goal.due':
      return goalText(event);
    case 'session.forked':
      return texts.forkedFrom(event.from_session_id, event.at_seq);
    default:
      return event satisfies never;
  }
};

/** An entry in one line in the chosen language. Texts of models, tools and people are verbatim. */
export const entryText = ({ event }: Pick<TraceEntry, 'event'>): string => {
  const said = eventText(event);
  const by = 'by' in event ? event.by : undefined;
  return by === undefined ? said : [said, byText(by)].filter(Boolean).join(' · ');
};
