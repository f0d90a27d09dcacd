import type { CallbackView } from '../../../contracts/callback.ts';
import type { GoalView } from '../../../contracts/goal.ts';
import type { FactView } from '../../../contracts/http.ts';
import { path, request, send } from '../api/request.ts';
import { listsReloaded } from '../api/resource.ts';
import { allItems } from '../api/routes.ts';
import { Button } from '../design/button.tsx';
import { Opens } from '../design/dialog.tsx';
import { Form } from '../design/form.tsx';
import { LoadedPart, lazy, messageOf, Table } from '../design/loaded.tsx';
import { Time } from '../design/time.tsx';
import { doUnlessUndone, isLeaving } from '../state/notices.ts';
import { sessionHref } from '../state/route.ts';
import { shared } from '../text/shared.ts';
import { shell } from '../text/shell.ts';
import { ruleText } from './rule-text.ts';
import { texts } from './texts.ts';

const GoalDialog = lazy(async () => (await import('./goal-dialog.tsx')).GoalDialog);

/** How often lists that change by themselves are reloaded, in milliseconds. */
const RELOAD_MS = 5_000;

const ADDRESSES = { fact: '/v1/memory', goal: '/v1/goals' };

/** Ends a fact or a goal, unless the user takes that back within some seconds. */
const endSoon = (kind: 'fact' | 'goal', id: number): void =>
  doUnlessUndone({
    text: texts.value[kind === 'fact' ? 'forgotten' : 'goalDeleted'],
    things: [`${kind}/${id}`],
    send: async (isLast) => {
      await send(`${ADDRESSES[kind]}/${id}`, { method: 'DELETE', keepalive: isLast });
      await listsReloaded();
    },
    failed: messageOf,
  });

/** The facts remembered about the user across sessions. */
export const MemoryPart = () => (
  <LoadedPart load={(signal) => allItems<FactView>('/v1/memory', 'facts', signal)} everyMs={RELOAD_MS}>
    {(facts, change) => (
      <>
        <Form
          class="line"
          submit={texts.value.remember}
          kind="normal"
          save={async ({ fact = '' }) => {
            await send('/v1/memory', { method: 'POST', body: { text: fact } });
            change();
          }}
        >
          <input class="fill" name="fact" aria-label={texts.value.fact} placeholder={texts.value.fact} required />
        </Form>
        <Table
          label={texts.value.memory}
          items={facts.filter(({ id }) => !isLeaving(`fact/${id}`))}
          empty={[texts.value.noFacts, texts.value.noFactsHint]}
          columns={[
            [texts.value.memory, ({ text }) => text],
            [texts.value.since, ({ created_at }) => <Time at={created_at} />],
            [
              '',
              ({ id }) => (
                <Button kind="danger" onClick={() => endSoon('fact', id)}>
                  {texts.value.forget}
                </Button>
              ),
            ],
          ]}
        />
      </>
    )}
  </LoadedPart>
);

/** The user's scheduled goals. */
export const GoalsPart = () => (
  <LoadedPart load={(signal) => allItems<GoalView>('/v1/goals', 'goals', signal)} everyMs={RELOAD_MS}>
    {(goals) => (
      <>
        <div class="buttons">
          <Opens icon="plus" dialog={(close) => <GoalDialog goal={null} onClose={close} />}>
            {texts.value.newGoal}
          </Opens>
        </div>
        <Table
          label={texts.value.goals}
          items={goals.filter(({ id }) => !isLeaving(`goal/${id}`))}
          empty={[texts.value.noGoals, texts.value.noGoalsHint]}
          columns={[
            [texts.value.goal, ({ goal }) => goal],
            [shell.value.session, ({ session_id }) => <a href={sessionHref(session_id)}>{session_id}</a>],
            [texts.value.nextTime, ({ due_at }) => <Time at={due_at} mayBeAhead />],
            [
              texts.value.repeats,
              ({ rule, interval_minutes: every }) =>
                rule === null ? (every === null ? '' : texts.value.everyMinutes(every)) : ruleText(rule),
            ],
            [
              '',
              (goal) => (
                <div class="line">
                  <Opens dialog={(close) => <GoalDialog goal={goal} onClose={close} />}>{texts.value.edit}</Opens>
                  <Button kind="danger" onClick={() => endSoon('goal', goal.id)}>
                    {shared.value.delete}
                  </Button>
                </div>
              ),
            ],
          ]}
        />
      </>
    )}
  </LoadedPart>
);

/** The callbacks to programs, newest first; each can be posted again. */
export const CallbacksPart = () => (
  <LoadedPart
    load={(signal) => request<{ callbacks: CallbackView[]; next: string | null }>('/v1/callbacks', { signal })}
    everyMs={RELOAD_MS}
  >
    {({ callbacks, next }, change) => (
      <>
        <Table
          label={texts.value.callbacks}
          items={callbacks}
          empty={[texts.value.noCallbacks, texts.value.noCallbacksHint]}
          columns={[
            [texts.value.event, ({ type }) => <code>{type}</code>],
            [
              shared.value.state,
              ({ state, attempts, last_error }) => (
                <>
                  {texts.value[state]} · {texts.value.posts(attempts)}
                  {last_error !== null && <p class="muted">{last_error}</p>}
                </>
              ),
            ],
            [texts.value.receiver, ({ url }) => url ?? texts.value.webhook],
            [texts.value.since, ({ created_at }) => <Time at={created_at} />],
            [
              '',
              ({ id }) => (
                <Button onClick={() => change(() => send(path`/v1/callbacks/${id}/resend`, { method: 'POST' }))}>
                  {texts.value.resend}
                </Button>
              ),
            ],
          ]}
        />
        {next !== null && <p class="muted">{texts.value.newestOnly(callbacks.length)}</p>}
      </>
    )}
  </LoadedPart>
);
