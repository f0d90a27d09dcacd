import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { SessionView } from '../../../contracts/http.ts';
import { usePolled } from '../api/polled.ts';
import { Link } from '../app/link.tsx';
import { sessionHref } from '../app/parse-route.ts';
import { Badge } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { Empty, Failure, Loading } from '../design/notice.tsx';
import { Time } from '../design/time.tsx';
import { pausedSessions } from '../inbox/waiting.ts';
import { shared } from '../text/shared.ts';
import { openNewSession } from './new-session.ts';
import { type SessionFilter, stateOf } from './session-filter.ts';
import styles from './session-list.module.css';
import { createSessionPages, type ListedSessions, SHOWN_STEP } from './session-pages.ts';
import { texts } from './texts.ts';

const Item = ({ session, isOpen }: { session: SessionView; isOpen: boolean }) => {
  const { active_task: task, queue } = session;
  const state = stateOf(session, pausedSessions.value);
  return (
    <li>
      <Link class={styles.item} href={sessionHref(session.session_id)} aria-current={isOpen ? 'page' : undefined}>
        <span class={styles.goal}>{task?.goal ?? session.title ?? session.session_id}</span>
        <Time at={session.updated_at} />
        <span class={styles.name}>{session.session_id}</span>
        <span class={styles.state}>
          {queue.length > 0 && <span class={styles.queue}>{texts.value.queued(queue.length)}</span>}
          {state !== 'idle' && <Badge state={state} />}
        </span>
      </Link>
    </li>
  );
};

const STATES = ['all', 'running', 'waiting', 'paused', 'idle'] as const;

/** All sessions, the most recently used first, by words and by state. */
export const SessionList = ({ session }: { session: string | null }) => {
  const words = useSignal('');
  const state = useSignal<SessionFilter['state']>('all');
  const shown = useSignal(SHOWN_STEP);
  const pages = useMemo(
    () => createSessionPages({ words: words.value, state: state.value }, shown.value),
    [words.value, state.value, shown.value],
  );
  const { value: newest, error } = usePolled(pages).value;
  // Which sessions are paused is known by what waits.
  const paused = [...pausedSessions.value].join();
  useEffect(() => {
    if (state.peek() === 'paused' || state.peek() === 'idle') pages.refresh();
  }, [paused]);
  // The old list stays until the next one is there.
  const before = useRef<ListedSessions>(undefined);
  if (newest !== undefined) before.current = newest;
  const value = before.current;
  return (
    <section class={styles.sessions} aria-labelledby="sessions-title">
      <div class={styles.top}>
        <h2 id="sessions-title">{texts.value.title}</h2>
        <Button onClick={openNewSession}>{texts.value.create}</Button>
      </div>
      <search class={styles.filters}>
        <input
          type="search"
          id="session-search"
          aria-label={texts.value.search}
          placeholder={texts.value.search}
          value={words.value}
          onInput={(event) => {
            words.value = event.currentTarget.value;
          }}
        />
        <select
          aria-label={texts.value.state}
          value={state.value}
          onChange={(event) => {
            state.value = event.currentTarget.value as SessionFilter['state'];
          }}
        >
          {STATES.map((name) => (
            <option key={name} value={name}>
              {texts.value[name]}
            </option>
          ))}
        </select>
      </search>
      {value === undefined && (error === null ? <Loading /> : <Failure error={error} onRetry={pages.refresh} />)}
      {value !== undefined && value.sessions.length === 0 && (
        <Empty title={value.hasAny ? texts.value.noMatch : texts.value.none}>
          {!value.hasAny && <p>{texts.value.noneHint}</p>}
        </Empty>
      )}
      {value !== undefined && value.sessions.length > 0 && (
        <ul class={styles.list}>
          {value.sessions.map((each) => (
            <Item key={each.session_id} session={each} isOpen={each.session_id === session} />
          ))}
          {value.hasMore && (
            <li class={styles.more}>
              <Button
                onClick={() => {
                  shown.value += SHOWN_STEP;
                }}
              >
                {shared.value.more}
              </Button>
            </li>
          )}
        </ul>
      )}
    </section>
  );
};
