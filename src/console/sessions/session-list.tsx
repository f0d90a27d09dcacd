import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { SessionView } from '../../../contracts/http.ts';
import { createReread, path, type RequestOptions, send } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { meaningOf, Sign, shownState } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { Choice, Search } from '../design/fields.tsx';
import { FocusedInput, FormButton } from '../design/form.tsx';
import { Boundary, Empty, Loaded } from '../design/loaded.tsx';
import { Time } from '../design/time.tsx';
import { HOME, navigate, sessionHref } from '../state/route.ts';
import { openNewSession } from '../state/shortcuts.ts';
import { locale } from '../text/numbers.ts';
import { shared } from '../text/shared.ts';
import { states } from '../text/states.ts';
import { groupSessions, type SessionGroup } from './session-groups.ts';
import styles from './sessions.module.css';
import { texts } from './texts.ts';

/** How often the list is polled, in milliseconds. */
const EVERY_MS = 4_000;

/** How many more are listed at once. */
const SHOWN_STEP = 50;

/** The state of a session's last task, as a sign with its name. */
const StateSign = ({ last_task, queue }: Pick<SessionView, 'last_task' | 'queue'>) => {
  const state = last_task === null ? (queue.length > 0 ? 'queued' : 'idle') : shownState(last_task);
  const meaning = meaningOf(state);
  const name = states.value[state];
  return (
    <span class={styles.sign} title={name} data-state={state}>
      <Sign meaning={meaning} />
      <span class="visually-hidden">{name}</span>
    </span>
  );
};

interface RowProps {
  session: SessionView;
  isOpen: boolean;
  /** Reloads the list. */
  reload: () => void;
}

const Row = ({ session: { session_id, title, ...session }, isOpen, reload }: RowProps) => {
  const name = title ?? session_id;
  const address = path`/v1/sessions/${session_id}`;
  const rename = async ({ title = '' }: Record<string, string>): Promise<void> => {
    await send(address, { method: 'PATCH', body: { title: title.trim() || null } });
    reload();
  };
  const remove = async (): Promise<void> => {
    await send(address, { method: 'DELETE' });
    if (isOpen) navigate(HOME);
    else reload();
  };
  return (
    <>
      <a
        class="row"
        href={sessionHref(session_id)}
        title={`${name}\n${session_id}`}
        aria-current={isOpen ? 'page' : undefined}
        data-row
      >
        <StateSign {...session} />
        <span class="clipped fill" dir="auto">
          {name}
        </span>
        <span class="small muted">
          {session.queue.length > 0 && `${texts.value.queued(session.queue.length)} `}
          <Time at={session.updated_at} />
        </span>
      </a>
      <span class={styles.acts}>
        <FormButton
          button={{ icon: 'rename', title: texts.value.rename(name) }}
          title={texts.value.rename(name)}
          submit={shared.value.save}
          save={rename}
        >
          <FocusedInput
            name="title"
            aria-label={texts.value.name}
            placeholder={texts.value.nameHint}
            maxLength={120}
            defaultValue={title ?? ''}
          />
        </FormButton>
        <FormButton
          button={{ icon: 'delete', title: texts.value.remove(name) }}
          title={texts.value.delete(name)}
          submit={shared.value.delete}
          kind="danger"
          save={remove}
        >
          <p>{texts.value.removeHint}</p>
        </FormButton>
      </span>
    </>
  );
};

const groupTitle = ({ at, span }: SessionGroup): string =>
  span === 'month'
    ? new Intl.DateTimeFormat(locale.value, { month: 'long', year: 'numeric' }).format(at)
    : texts.value[span];

const STATES = ['running', 'awaiting_user', 'paused', 'done', 'failed', 'cancelled'] as const;

/** All sessions by day, filtered by their words and states. */
export const SessionList = ({ session }: { session: string | null }) => {
  const typed = useSignal('');
  const state = useSignal('');
  const shown = useSignal(SHOWN_STEP);
  const words = typed.value.trim();
  const isAll = state.value === '' && words === '';
  const read = useMemo(() => createReread<{ sessions: SessionView[]; next: string | null }>(), []);
  const { loaded, reload } = useResource(
    async (signal) => {
      const sessions: SessionView[] = [];
      let cursor: string | null = null;
      do {
        const query: RequestOptions['query'] = {
          q: words || null,
          state: state.value || null,
          limit: shown.value,
          cursor,
        };
        const page = await read('/v1/sessions', { query, signal });
        sessions.push(...page.sessions);
        cursor = page.next;
      } while (cursor !== null && sessions.length < shown.value);
      return { sessions: sessions.slice(0, shown.value), hasMore: cursor !== null };
    },
    [words, state.value, shown.value],
    EVERY_MS,
  );
  const { value: newest, error } = loaded.value;
  // The old list stays until the next one is loaded.
  const before = useRef(newest);
  before.current = newest ?? before.current;
  return (
    <section class="column" aria-labelledby="sessions-title">
      <div class="bar">
        <h2 id="sessions-title" class="fill">
          {texts.value.title}
        </h2>
        <Button onClick={openNewSession}>{texts.value.create}</Button>
      </div>
      <search class={styles.filters}>
        <Search of={typed} label={texts.value.search} />
        <Choice
          of={state}
          label={shared.value.state}
          any={texts.value.all}
          choices={STATES.map((value) => ({ value, title: states.value[value] }))}
        />
      </search>
      <Loaded from={{ value: before.current, error }} onRetry={reload}>
        {({ sessions, hasMore }) =>
          sessions.length === 0 ? (
            <Empty title={isAll ? texts.value.none : texts.value.noMatch}>{isAll && texts.value.noneHint}</Empty>
          ) : (
            <div class="scrolls">
              {groupSessions(sessions, Date.now()).map((group) => (
                <section key={group.at}>
                  <h3 class={`small muted ${styles.day}`}>{groupTitle(group)}</h3>
                  <ul>
                    {group.rows.map(({ session: each, depth }) => (
                      <li key={each.session_id} class={styles.entry} data-depth={depth}>
                        <Boundary>
                          <Row session={each} isOpen={each.session_id === session} reload={reload} />
                        </Boundary>
                      </li>
                    ))}
                  </ul>
                </section>
              ))}
              {hasMore && (
                <div class="padded">
                  <Button
                    onClick={() => {
                      shown.value += SHOWN_STEP;
                    }}
                  >
                    {shared.value.more}
                  </Button>
                </div>
              )}
            </div>
          )
        }
      </Loaded>
    </section>
  );
};
