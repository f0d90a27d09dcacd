import type { ComponentChildren } from 'preact';
import type { QuotaView } from '../../../contracts/access.ts';
import type { SessionView } from '../../../contracts/http.ts';
import type { UsageDay } from '../../../contracts/usage.ts';
import { createReread } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { Sign } from '../design/badge.tsx';
import { runningNow } from '../design/time.tsx';
import { inboxItems } from '../inbox/inbox-items.ts';
import { waitingCount } from '../inbox/waiting.ts';
import { openDraft } from '../state/remembered.ts';
import { HOME, SESSIONS, SYSTEM } from '../state/route.ts';
import { formatCost, formatDuration, formatNumber } from '../text/numbers.ts';
import styles from './home.module.css';
import { texts } from './texts.ts';

/** How often the figures are polled, in milliseconds. */
const EVERY_MS = 5_000;

/** Sessions that are counted; a plus sign stands for more. */
const COUNTED_MAX = 100;

const readSessions = createReread<{ sessions: SessionView[]; next: string | null }>();
const readUsage = createReread<{ today: UsageDay; quota: QuotaView | null }>();

/** When the local day began. */
const midnight = (): string => new Date(new Date().setHours(0, 0, 0, 0)).toISOString();

const countOf = async (query: Record<string, string>, signal: AbortSignal): Promise<string> => {
  const { sessions, next } = await readSessions('/v1/sessions', { query: { ...query, limit: COUNTED_MAX }, signal });
  return `${formatNumber.value(sessions.length)}${next === null ? '' : '+'}`;
};

interface FigureProps {
  href: string;
  /** The filter of the list of sessions that its address shows; absent: none. */
  filter?: { state: string; days: string };
  name: string;
  title?: string;
  children: ComponentChildren;
}

const Figure = ({ href, filter, name, title, children }: FigureProps) => (
  <a
    href={href}
    title={title}
    onClick={() => {
      if (filter === undefined) return;
      openDraft('list.state').value = filter.state;
      openDraft('list.days').value = filter.days;
    }}
  >
    <span class={`${styles.figure} number`}>{children}</span>
    <span class="muted small">{name}</span>
  </a>
);

/** Today's money; where no price is known, its tokens. */
const Spent = ({ today, quota }: { today: UsageDay; quota: QuotaView | null }) => {
  const { cost, usage } = today;
  const tokens = Object.values(usage).reduce((sum, count) => sum + count, 0);
  const words = texts.value;
  const limit = quota?.cost_per_day ?? null;
  const isMoney = cost !== undefined || (tokens === 0 && limit !== null);
  const currency = cost?.currency ?? quota?.currency ?? '';
  return (
    <Figure href={`${SYSTEM}?tab=usage`} name={isMoney ? words.spent : words.tokens} title={words.utc}>
      {isMoney ? formatCost(Number(cost?.amount ?? 0), currency) : formatNumber.value(tokens)}
      {isMoney && limit !== null && <small>{words.ofLimit(formatCost(Number(limit), currency))}</small>}
    </Figure>
  );
};

const MINUTE_MS = 60_000;

/** How long the oldest thing has waited; null: less than a minute. */
const longestWait = (): string | null => {
  const oldest = inboxItems.value.at(-1);
  const minutes = oldest === undefined ? 0 : Math.floor((runningNow.value - Date.parse(oldest.since)) / MINUTE_MS);
  return minutes < 1 ? null : formatDuration(minutes * MINUTE_MS);
};

/** Tasks that run, wait and failed today, and the money spent. */
export const Figures = () => {
  const { value } = useResource(
    async (signal) => {
      const [running, failed, usage] = await Promise.all([
        countOf({ state: 'running' }, signal),
        countOf({ state: 'failed', since: midnight() }, signal),
        readUsage('/v1/usage', { query: { limit: 1 }, signal }),
      ]);
      return { running, failed, usage };
    },
    [],
    EVERY_MS,
  ).loaded.value;
  const longest = longestWait();
  const words = texts.value;
  return (
    <nav class={styles.figures} aria-label={words.figures}>
      <Figure href={SESSIONS} filter={{ state: 'running', days: '' }} name={words.running}>
        {value?.running ?? '–'}
        {value !== undefined && value.running !== '0' && <Sign meaning="running" />}
      </Figure>
      <Figure href={HOME} name={words.waiting}>
        {formatNumber.value(waitingCount.value)}
        {longest !== null && <small>{words.longest(longest)}</small>}
      </Figure>
      <Figure href={SESSIONS} filter={{ state: 'failed', days: '1' }} name={words.failed}>
        {value?.failed ?? '–'}
      </Figure>
      {value === undefined ? (
        <Figure href={`${SYSTEM}?tab=usage`} name={words.spent}>
          –
        </Figure>
      ) : (
        <Spent {...value.usage} />
      )}
    </nav>
  );
};
