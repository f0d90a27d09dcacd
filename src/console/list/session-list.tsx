import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { SessionView } from '../../../contracts/http.ts';
import { createReread, type RequestOptions } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { Button } from '../design/button.tsx';
import { bound, Choice } from '../design/fields.tsx';
import { Icon } from '../design/icon.tsx';
import { Boundary, Empty, Loaded } from '../design/loaded.tsx';
import { Popover } from '../design/popover.tsx';
import { waiting } from '../inbox/waiting.ts';
import { openDraft } from '../state/remembered.ts';
import { openNewSession, SEARCH } from '../state/shortcuts.ts';
import { locale } from '../text/numbers.ts';
import { shared } from '../text/shared.ts';
import { type StateName, states } from '../text/states.ts';
import styles from './list.module.css';
import { groupSessions, type SessionGroup } from './session-groups.ts';
import { SessionRow } from './session-row.tsx';
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

const STATES = ['running', 'awaiting_user', 'paused', 'done', 'failed', 'cancelled'] as const;

/** The sessions shown, kept in this tab, since a small screen draws the list anew each time. */
const useFilter = () => ({ words: openDraft('list.words'), state: openDraft('list.state') });

/** Filters, and that some are on. */
const Filters = ({ state }: ReturnType<typeof useFilter>) => (
  <Popover
    icon="filter"
    title={texts.value.filter}
    label={texts.value.filter}
    aria-pressed={state.value !== ''}
    content={() => (
      <div class={styles.filters}>
        <Choice
          of={state}
          label={shared.value.state}
          any={texts.value.all}
          choices={STATES.map((value) => ({ value, title: states.value[value] }))}
        />
      </div>
    )}
  />
);

/** A filter that is on, and the button that takes it off. */
const Chips = ({ state }: ReturnType<typeof useFilter>) =>
  state.value === '' ? null : (
    <div class={`line ${styles.chips}`}>
      <Button
        size="small"
        onClick={() => {
          state.value = '';
        }}
      >
        {shared.value.state}: {states.value[state.value as StateName]} <Icon name="close" />
      </Button>
    </div>
  );

const useSessions = (words: string, state: string) => {
  const shown = useSignal(SHOWN_STEP);
  const read = useMemo(() => createReread<{ sessions: SessionView[]; next: string | null }>(), []);
  const { loaded, reload } = useResource(
    async (signal) => {
      const sessions: SessionView[] = [];
      let cursor: string | null = null;
      do {
        const query: RequestOptions['query'] = { q: words || null, state: state || null, limit: shown.value, cursor };
        const page = await read('/v1/sessions', { query, signal });
        sessions.push(...page.sessions);
        cursor = page.next;
      } while (cursor !== null && sessions.length < shown.value);
      return { sessions: sessions.slice(0, shown.value), hasMore: cursor !== null };
    },
    [words, state, shown.value],
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

const Groups = ({
  sessions,
  session,
  reload,
}: {
  sessions: SessionView[];
  session: string | null;
  reload: () => void;
}) =>
  groupSessions(sessions, Date.now()).map((group) => (
    <section key={group.at}>
      <h2 class={`label ${styles.title}`}>{groupTitle(group)}</h2>
      <ul>
        {group.rows.map(({ session: each, depth }) => (
          <li key={each.session_id} class={styles.entry} data-depth={depth}>
            <Boundary>
              <SessionRow session={each} isOpen={each.session_id === session} reload={reload} />
            </Boundary>
          </li>
        ))}
      </ul>
    </section>
  ));

/** The one list: what waits for the user, then all sessions by day, filtered by their words and states. */
export const SessionList = ({ session }: { session: string | null }) => {
  const filter = useFilter();
  const words = filter.words.value.trim();
  const { from, reload, more } = useSessions(words, filter.state.value);
  const isAll = filter.state.value === '' && words === '';
  const parts = words.toLowerCase().split(/\s+/);
  // Sessions that wait are on top, and nowhere else. So their place must be known first.
  const { value: waits, error: unknown } = waiting.loaded.value;
  const isReady = filter.state.value !== '' || waits !== undefined || unknown !== null;
  const isWaiting = ({ session_id }: SessionView): boolean =>
    filter.state.value === '' &&
    waiting.loaded.value.value?.tasks.some((item) => item.session_id === session_id) === true;
  const has = (text: string): boolean => parts.every((part) => text.toLowerCase().includes(part));
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
        <Filters {...filter} />
        <Button icon="plus" title={texts.value.create} onClick={openNewSession} />
      </search>
      <Chips {...filter} />
      <div class={`${styles.all} scrolls`}>
        {filter.state.value === '' && (
          <Boundary>
            <WaitsPart session={session} has={has} />
          </Boundary>
        )}
        <section aria-label={texts.value.title}>
          <Loaded from={isReady ? from : { value: undefined, error: null }} onRetry={reload}>
            {({ sessions, hasMore }) =>
              sessions.length === 0 ? (
                <Empty title={isAll ? texts.value.none : texts.value.noMatch}>{isAll && texts.value.noneHint}</Empty>
              ) : (
                <>
                  <Groups sessions={sessions.filter((each) => !isWaiting(each))} session={session} reload={reload} />
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
