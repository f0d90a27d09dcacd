import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { SessionView } from '../../../contracts/http.ts';
import { createReread } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { listSessions, type SessionsPage } from '../api/sessions.ts';
import { Button } from '../design/button.tsx';
import { bound } from '../design/fields.tsx';
import { Icon } from '../design/icon.tsx';
import { Boundary, Empty, Loaded } from '../design/loaded.tsx';
import { waiting } from '../inbox/waiting.ts';
import { choosesSessions, chosenSessions } from '../state/chosen-sessions.ts';
import { isLeaving } from '../state/notices.ts';
import { openNewSession, SEARCH } from '../state/shortcuts.ts';
import { locale } from '../text/numbers.ts';
import { shared } from '../text/shared.ts';
import { ChosenBar } from './chosen-bar.tsx';
import { leavingSession } from './delete-sessions.ts';
import { filter } from './filter.ts';
import { Chips, Filters } from './filters.tsx';
import styles from './list.module.css';
import { groupSessions, type SessionGroup } from './session-groups.ts';
import { ChoosableRow, SessionRow } from './session-row.tsx';
import { texts } from './texts.ts';
import { WaitsPart } from './waits-part.tsx';

/** How often the list is polled, in milliseconds. */
const EVERY_MS = 4_000;

/** How many more are listed at once. */
const SHOWN_STEP = 50;

const groupTitle = ({ at, span }: SessionGroup): string =>
  span === 'month'
    ? new Intl.DateTimeFormat(locale.value, { month: 'long', year: 'numeric' }).format(at)
    : texts.value[span];

/** When the first of these days began; null: no limit. Constant for a day, so that an unchanged list gets a 304. */
const sinceOf = (days: string): string | null =>
  days === '' ? null : new Date(new Date().setHours(-24 * (Number(days) - 1), 0, 0, 0)).toISOString();

const useSessions = (words: string) => {
  const { state, rating, tool, cost, days } = filter;
  const since = sinceOf(days.value);
  const shown = useSignal(SHOWN_STEP);
  const read = useMemo(() => createReread<SessionsPage>(), []);
  const { loaded, reload } = useResource(
    (signal) => {
      const query = {
        q: words || null,
        state: state.value || null,
        feedback: rating.value || null,
        tool: tool.value || null,
        min_cost: cost.value || null,
        since,
      };
      return listSessions({ query, count: shown.value, signal, read });
    },
    [words, state.value, rating.value, tool.value, cost.value, since, shown.value],
    EVERY_MS,
  );
  const { value: newest, error } = loaded.value;
  // The old list stays until the next one is loaded.
  const before = useRef(newest);
  before.current = newest ?? before.current;
  const more = (): void => {
    shown.value += SHOWN_STEP;
  };
  return { from: { value: before.current, error }, reload, more };
};

interface GroupsProps {
  sessions: SessionView[];
  /** The searched words. */
  words: readonly string[];
  /** The open session. */
  session: string | null;
  reload: () => void;
}

const Groups = ({ sessions, words, session, reload }: GroupsProps) =>
  groupSessions(sessions, Date.now()).map((group) => (
    <section key={group.at}>
      <h2 class={`label ${styles.title}`}>{groupTitle(group)}</h2>
      <ul>
        {group.rows.map(({ session: each, depth }) => (
          <li key={each.session_id} class={styles.entry} data-depth={depth}>
            <Boundary>
              {chosenSessions.value === null ? (
                <SessionRow session={each} words={words} isOpen={each.session_id === session} reload={reload} />
              ) : (
                <ChoosableRow session={each} words={words} />
              )}
            </Boundary>
          </li>
        ))}
      </ul>
    </section>
  ));

/** The one list: what waits for the user, then all sessions by day, filtered by their words and states. */
export const SessionList = ({ session }: { session: string | null }) => {
  const words = filter.words.value.trim();
  const { from, reload, more } = useSessions(words);
  const isAll = Object.values(filter).every(({ value }) => value.trim() === '');
  // Sessions that wait are on top, and nowhere else, unless the list is searched. So their place must be known first.
  const { value: waits, error: unknown } = waiting.loaded.value;
  const isReady = !isAll || waits !== undefined || unknown !== null;
  const chosen = chosenSessions.value;
  const currency = from.value?.sessions.find(({ cost }) => cost !== undefined)?.cost?.currency ?? null;
  const listed = (from.value?.sessions ?? []).filter(({ session_id }) => !isLeaving(leavingSession(session_id)));
  const isOnTop = ({ session_id }: SessionView): boolean =>
    isAll && chosen === null && waits?.tasks.some((item) => item.session_id === session_id) === true;
  return (
    <>
      <search class={styles.head}>
        <label class={styles.search}>
          <Icon name="search" />
          <input
            id={SEARCH}
            type="search"
            placeholder={texts.value.search}
            aria-label={texts.value.search}
            {...bound(filter.words)}
          />
          <kbd>/</kbd>
        </label>
        <Filters currency={currency} />
        <Button
          icon="plan"
          title={texts.value.several}
          aria-pressed={chosen !== null}
          onClick={() => choosesSessions(chosen === null)}
        />
        <Button icon="plus" title={texts.value.create} onClick={openNewSession} />
      </search>
      <Chips currency={currency} />
      {chosen !== null && <ChosenBar sessions={listed.filter(({ session_id }) => chosen.has(session_id))} />}
      <div class={`${styles.all} scrolls`}>
        {isAll && chosen === null && (
          <Boundary>
            <WaitsPart session={session} />
          </Boundary>
        )}
        <section aria-label={texts.value.title}>
          <Loaded from={isReady ? from : { value: undefined, error: null }} onRetry={reload}>
            {({ hasMore }) =>
              listed.length === 0 ? (
                <Empty title={isAll ? texts.value.none : texts.value.noMatch}>{isAll && texts.value.noneHint}</Empty>
              ) : (
                <>
                  <Groups
                    sessions={listed.filter((each) => !isOnTop(each))}
                    words={words === '' ? [] : words.split(/\s+/)}
                    session={session}
                    reload={reload}
                  />
                  {hasMore && (
                    <Button kind="quiet" class={styles.more} onClick={more}>
                      {shared.value.more}
                    </Button>
                  )}
                </>
              )
            }
          </Loaded>
        </section>
      </div>
    </>
  );
};
