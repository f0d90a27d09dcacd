import type { ApprovalVerdict, PlanItemAnswer } from '../../contracts/answer.ts';
import type { By } from '../../contracts/by.ts';
import type { Effect } from '../../contracts/event.ts';
import type { FeedbackLine } from '../../contracts/feedback.ts';
import { plainLine } from '../../contracts/text.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import { isRestOfMessage } from './rest-of-message.ts';

/** Longest quotation in a line of prose, in characters. The trace itself has all of it. */
const QUOTED_MAX = 120;

const quoted = (text: string | null | undefined): string => JSON.stringify(plainLine(text ?? '', QUOTED_MAX));

const steps = (plan: PlanItemAnswer[]): string =>
  plan.map((item) => quoted(typeof item === 'string' ? item : item.step)).join(', ') || 'no items';

const withNotes = (text: string, notes: string[] | undefined): string =>
  [text, ...(notes ?? []).map((note) => `note ${quoted(note)}`)].join('; ');

/** The verdict of an action's policy, in words. */
const verdictProse = (approval: ApprovalVerdict | undefined): string[] => {
  if (approval === undefined) return [];
  const { verdict, summary, reason } = approval;
  const said = [summary, reason].flatMap((text) => (text === undefined ? [] : [quoted(text)]));
  return [['policy', verdict, ...said].join(' ')];
};

/** `isActing` is false for a thought whose action waits for approval and so has no effect yet. */
const eventProse = (event: TraceEntry['event'], isActing: boolean): string => {
  switch (event.type) {
    case 'task.opened':
      return `${event.task_id} ${quoted(event.goal)}`;
    case 'plan.made':
      return withNotes(steps(event.plan), event.notes);
    case 'thought.made': {
      const status = event.outcome === undefined ? event.status : `${event.status} ${event.outcome}`;
      const said = event.signal === undefined ? status : `${status} by signal ${event.signal}`;
      const mark = [said, ...verdictProse(event.approval)].join(', ');
      if (event.next_action !== null && !isActing)
        return `${mark} ${event.next_action.tool} ${quoted(event.next_action.input)}`;
      if (event.question !== null) return `${mark} ${quoted(event.question)}`;
      return event.response === null ? mark : `${mark} ${quoted(event.response)}`;
    }
    case 'replan.made':
      return event.status === 'done'
        ? `${event.outcome === undefined ? 'done' : `done ${event.outcome}`} ${quoted(event.response)}`
        : withNotes(`replanned ${steps(event.plan)}`, event.notes);
    case 'plan.rejected':
    case 'thought.rejected':
    case 'replan.rejected':
    case 'model.unavailable':
    case 'quota.exhausted':
      return quoted(event.reason);
    case 'observation.recorded':
      return `${event.ok ? 'ok' : 'failed'} ${quoted(event.result)}`;
    case 'observations.recorded':
      return event.observations.map(({ ok, result }) => `${ok ? 'ok' : 'failed'} ${quoted(result)}`).join(', ');
    case 'tool.asked':
      return event.requests.map(({ kind, message }) => `${event.server} asks by ${kind} ${quoted(message)}`).join(', ');
    case 'verification.finished':
      return `${event.ok ? 'ok' : 'failed'} ${quoted(event.output)}`;
    case 'effect.abandoned':
      return `effect ${event.effect} begun ${event.begins} times`;
    case 'machine.changed':
      return `${event.from} to ${event.to}, ${quoted(event.reason)}`;
    case 'answer.received':
    case 'steer.received':
      return quoted(event.text);
    case 'decision.received': {
      const { decision } = event;
      const text = decision.type === 'edit' ? decision.input : decision.reason;
      return text === undefined ? decision.type : `${decision.type} ${quoted(text)}`;
    }
    case 'plan.edited':
      return event.edits.map((edit) => JSON.stringify(edit)).join(', ');
    case 'question.expired':
      return event.expired_at;
    case 'task.resumed':
    case 'task.cancelled':
      return '';
    case 'result.superseded':
      return `effect ${event.effect} ${quoted(event.outcome)}`;
    case 'reminder.due':
      return `${event.subject} ${event.subject_id} ${quoted(event.text)}${event.late ? ', late' : ''}`;
    case 'goal.due': {
      const became =
        event.started_turn_id ?? `skipped, ${event.reason === undefined ? 'unfinished' : quoted(event.reason)}`;
      return `${event.goal_id} ${quoted(event.goal)}${event.late ? ', late' : ''}, ${became}`;
    }
    case 'session.forked':
      return `from ${event.from_session_id} ${event.from_task_id} at ${event.at_seq}`;
    default:
      return event satisfies never;
  }
};

const byExecutor = ({ executor }: { executor: string }): string => (executor === 'default' ? '' : ` by ${executor}`);

/** An effect as prose, such as `tool.call todo "add milk"`. */
const formatEffect = ({ type, params }: Effect): string => {
  switch (type) {
    case 'model.plan':
    case 'model.replan':
    case 'verify.run':
      return params.attempt === 1 ? type : `${type} attempt ${params.attempt}`;
    case 'model.thought':
      return `${type} ${params.item_id === null ? 'on no item' : `on item ${params.item_id}`}, may ${params.may.join('|')}`;
    case 'tool.call':
      return `${type} ${params.tool} ${quoted(params.input)}${byExecutor(params)}${
        params.resumed === undefined ? '' : `, resumes effect ${params.resumed.effect}`
      }`;
    case 'tool.batch': {
      const calls = params.calls.map(({ tool, input }) => `${tool} ${quoted(input)}`);
      return `${type} ${calls.join(', ')}${byExecutor(params)}`;
    }
    default:
      return type satisfies never;
  }
};

/** Who sent it, such as `by ada (cli, key_9f2c41d0a7be)`. */
const byProse = ({ owner, key_id, subject, via }: By): string =>
  `by ${owner} (${[via, key_id ?? subject].filter((part) => part !== undefined).join(', ')})`;

/**
 * An entry's event as prose without its type; long texts are cut. Says if an earlier entry's model message already
 * contained it.
 */
export const formatEvent = ({ event, effects }: TraceEntry): string => {
  const said = eventProse(event, effects.length > 0);
  const by = 'by' in event && event.by !== undefined ? byProse(event.by) : '';
  const prose = [said, by].filter((part) => part !== '').join(' ');
  return isRestOfMessage(event) ? `${prose} (same message)` : prose;
};

/** One trace entry as a line of prose, such as `3 thought.made continue → tool.call todo "add milk" (acting, step 1)`. Cuts long texts. */
export const formatEntry = (entry: TraceEntry): string => {
  const { seq, event, effects, state, step_count } = entry;
  const said = `${seq} ${event.type} ${formatEvent(entry)}`.trimEnd();
  const asked = effects.map((effect) => ` → ${formatEffect(effect)}`).join('');
  return state === null ? said : `${said}${asked} (${state}, step ${step_count})`;
};

/** Feedback as a line of prose, such as `turn_1 rated down "it was Friday"`. Cuts long notes. */
export const formatFeedback = ({ turn_id, feedback: { rating, note } }: FeedbackLine): string => {
  const said = `${turn_id} rated ${rating}`;
  return note === undefined ? said : `${said} ${quoted(note)}`;
};
