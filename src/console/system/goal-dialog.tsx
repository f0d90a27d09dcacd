import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { GoalRequest, GoalTimes, GoalView } from '../../../contracts/goal.ts';
import { request } from '../api/request.ts';
import { listsReloaded, useResource } from '../api/resource.ts';
import { type Fault, type FieldTexts, type InputRow, type ObjectSchema, readRows, rowsOf } from '../card/input-rows.ts';
import { InputFields } from '../card/input-view.tsx';
import { FormDialog } from '../design/form.tsx';
import { messageOf } from '../design/loaded.tsx';
import { sessionHref } from '../state/route.ts';
import { locale } from '../text/numbers.ts';
import { shared } from '../text/shared.ts';
import { texts } from './texts.ts';

type GoalFields = Partial<GoalRequest>;

/** Names of sessions, as the API takes them. */
const SESSION_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** How long the user has stopped typing before the times are read, in milliseconds. */
const TYPED_MS = 250;

/** The zone that the user's words mean. */
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The fields of a goal, as `GoalRequest` has them, in words. An existing one keeps its session, and its times unless new ones are written. */
const schemaOf = (goal: GoalView | null, whenHint: string): ObjectSchema => {
  const { goalWords, goalSession, when, everyHint, timesHint, callback, callbackHint, ...words } = texts.value;
  const session = { session_id: { type: 'string', title: goalSession, maxLength: 64 } };
  return {
    properties: {
      goal: { type: 'string', title: goalWords, maxLength: 4_000 },
      ...(goal === null && session),
      when: { type: 'string', title: when, description: whenHint, maxLength: 200 },
      interval_minutes: { type: 'integer', title: words.every, description: everyHint, minimum: 1, maximum: 527_040 },
      times: { type: 'integer', title: words.timesInAll, description: timesHint, minimum: 1, maximum: 1_000 },
      callback_url: { type: 'string', title: callback, description: callbackHint, format: 'uri' },
    },
    required: goal === null ? ['goal', 'session_id', 'when'] : ['goal'],
  };
};

const fieldsOf = (goal: GoalView | null): GoalFields => {
  if (goal === null) return { session_id: 'goals' };
  return goal.callback_url === null ? { goal: goal.goal } : { goal: goal.goal, callback_url: goal.callback_url };
};

const rowsFor = (goal: GoalView | null, whenHint: string): InputRow[] =>
  rowsOf(fieldsOf(goal), schemaOf(goal, whenHint), true).map((row) =>
    row.name === 'goal' ? { ...row, kind: 'long' } : row,
  );

const timeText = (at: string): string =>
  new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' }).format(
    new Date(at),
  );

/** The times that were read from what is typed; null: nothing was read. Rejects with why it is no time. */
const readTimes = async (query: string, signal: AbortSignal): Promise<readonly string[] | null> => {
  if (query === '') return null;
  const { next } = await request<GoalTimes>('/v1/goals/preview', { query: JSON.parse(query), signal });
  return next;
};

/** The service's reading of the typed times, requested once the user has stopped typing. */
const useTimes = ({ when = '', interval_minutes, times }: GoalFields) => {
  const query = when.trim() === '' ? '' : JSON.stringify({ when, interval_minutes, times, timezone: ZONE });
  const asked = useSignal('');
  useEffect(() => {
    const timer = setTimeout(() => {
      asked.value = query;
    }, TYPED_MS);
    return () => clearTimeout(timer);
  }, [query]);
  const { value, error } = useResource((signal) => readTimes(asked.value, signal), [asked.value]).loaded.value;
  const isRead = query !== '' && asked.value === query;
  return { next: isRead ? (value ?? null) : null, error: isRead ? error : null };
};

/** The fields to send: of an existing goal, only those that were changed. */
const bodyOf = (goal: GoalView | null, { callback_url, ...fields }: GoalFields): object => {
  const zoned = fields.when === undefined ? fields : { ...fields, timezone: ZONE };
  if (goal === null) return callback_url === undefined ? zoned : { ...zoned, callback_url };
  return { ...zoned, callback_url: callback_url ?? null };
};

/** A form for a goal on a schedule, checked as one types: a new one, or one that is edited. */
export const GoalDialog = ({ goal, onClose }: { goal: GoalView | null; onClose: () => void }) => {
  const typed = useSignal<FieldTexts>({});
  const words = texts.value;
  const { value, faults } = readRows(rowsFor(goal, ''), typed.value);
  const fields = value as GoalFields;
  const { next, error } = useTimes(fields);
  const found = new Map<string, Fault>(faults);
  const say = (name: string, limit: string): void => {
    if (!found.has(name)) found.set(name, { kind: 'said', limit });
  };
  if (fields.session_id !== undefined && !SESSION_NAME.test(fields.session_id)) say('session_id', words.sessionName);
  if (fields.goal?.trim() === '') found.set('goal', { kind: 'missing' });
  // The last line is the reason; others say what kind of refusal it is.
  if (error !== null) say('when', messageOf(error).split('\n').at(-1)!);
  if (fields.when === undefined)
    for (const name of ['interval_minutes', 'times'] as const)
      if (goal !== null && fields[name] !== undefined) say(name, words.needsWhen);
  const unchanged = goal === null ? words.whenHint : words.whenStays(timeText(goal.due_at));
  const hint = next === null ? unchanged : words.nextTimes(next.map(timeText).join(' · '));
  const save = async (): Promise<void> => {
    const address = goal === null ? '/v1/goals' : `/v1/goals/${goal.id}`;
    await request(address, { method: goal === null ? 'POST' : 'PATCH', body: bodyOf(goal, fields) });
    await listsReloaded();
  };
  return (
    <FormDialog
      title={goal === null ? words.newGoal : words.editGoal}
      submit={shared.value.save}
      disabled={found.size > 0}
      onClose={onClose}
      save={save}
    >
      {goal !== null && (
        <p class="muted">
          {words.inSession} <a href={sessionHref(goal.session_id)}>{goal.session_id}</a>
        </p>
      )}
      <InputFields
        rows={rowsFor(goal, hint)}
        typed={typed.value}
        faults={found}
        set={(name, text) => {
          typed.value = { ...typed.value, [name]: text };
        }}
      />
    </FormDialog>
  );
};
