import { useSignal } from '@preact/signals';
import type { QuotaView, UserView } from '../../../contracts/access.ts';
import type { SessionView } from '../../../contracts/http.ts';
import type { ListedUsageDay, UsageDay } from '../../../contracts/usage.ts';
import { request } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { allItems } from '../api/routes.ts';
import { Empty, LoadedPart, Table } from '../design/loaded.tsx';
import { Switch } from '../design/switch.tsx';
import { formatCost, formatNumber, locale } from '../text/numbers.ts';
import { shell } from '../text/shell.ts';
import { COLOURS, DayChart, dayBars, type Measure } from './day-chart.tsx';
import { spentInAll } from './spent.ts';
import { SESSIONS_MAX, SpentOnModels, SpentOnTasks, SpentOnTools } from './spent-part.tsx';
import styles from './system.module.css';
import { texts } from './texts.ts';

/** Today's cost, beside the limit; a dash where neither is known. */
const spentToday = ({ quota, today: { tokens, cost } }: Pick<UserView, 'quota' | 'today'>): string => {
  const limit = quota?.cost_per_day ?? null;
  if (limit === null && cost === undefined) return '–';
  const spent = cost?.amount ?? (tokens === 0 ? '0' : texts.value.unknown);
  const unit = cost === undefined ? '' : ` ${cost.currency}`;
  return `${spent} / ${limit ?? texts.value.anyNumber}${unit}`;
};

/** Columns of a user's usage today, beside the daily limits. */
export const usedToday = <Listed extends Pick<UserView, 'quota' | 'today'>>() => [
  ...(['turns', 'tokens'] as const).map((name): [string, (listed: Listed) => string] => [
    texts.value[name],
    ({ quota, today }) => {
      const limit = quota?.[`${name}_per_day`] ?? null;
      return `${formatNumber.value(today[name])} / ${limit === null ? texts.value.anyNumber : formatNumber.value(limit)}`;
    },
  ]),
  [texts.value.cost, spentToday] satisfies [string, (listed: Listed) => string],
];

/** Today's usage of each user of a front end, for operators; renders nothing for others, or if there are none. */
const Users = () => {
  const users = useResource((signal) => allItems<UserView>('/v1/users', 'users', signal), []).loaded.value.value ?? [];
  if (users.length === 0) return null;
  return (
    <section>
      <h2>{texts.value.users}</h2>
      <Table
        label={texts.value.users}
        items={users}
        columns={[[shell.value.user, ({ user }) => user], ...usedToday<UserView>()]}
      />
    </section>
  );
};

/** Days that are shown. */
const DAYS = 30;

const DAY_MS = 24 * 60 * 60 * 1_000;

/** When the first of the shown days begins. */
const firstDay = (today: string): string => new Date(Date.parse(today) - (DAYS - 1) * DAY_MS).toISOString();

/** Newest day first. */
interface Usage {
  today: UsageDay;
  quota: QuotaView | null;
  days: ListedUsageDay[];
}

/** The usage of the days that are shown, and the sessions that were used on them. */
const loadUsage = async (signal: AbortSignal): Promise<Usage & { sessions: SessionView[] }> => {
  const usage = await request<Usage>('/v1/usage', { query: { limit: DAYS }, signal });
  const query = { since: firstDay(usage.today.day), limit: SESSIONS_MAX };
  return { ...usage, ...(await request<{ sessions: SessionView[] }>('/v1/sessions', { query, signal })) };
};

const MEASURES: readonly Measure[] = ['tokens', 'turns', 'cost'];

/** Parts of a bar of tokens, bottom first. */
const LEGEND = ['cached', 'input', 'output'] as const;

const costText = ({ cost, calls }: UsageDay): string =>
  cost !== undefined ? formatCost(Number(cost.amount), cost.currency) : calls === 0 ? '0' : '–';

/** The rest of today's money, of a quota that limits it. */
const moneyLeft = ({ cost_left, cost_per_day, currency }: QuotaView): string => {
  if (cost_per_day === null) return texts.value.anyNumber;
  const limit = currency === null ? cost_per_day : `${cost_per_day} ${currency}`;
  return texts.value.left(cost_left ?? texts.value.unknown, limit);
};

const Quota = ({ quota }: { quota: QuotaView }) => (
  <section>
    <h2>{texts.value.quota}</h2>
    <dl class="pairs">
      {(['turns', 'tokens'] as const).map((name) => {
        const [left, limit] = [quota[`${name}_left`], quota[`${name}_per_day`]];
        return (
          <div key={name}>
            <dt>{texts.value[name]}</dt>
            <dd>
              {left === null || limit === null
                ? texts.value.anyNumber
                : texts.value.left(formatNumber.value(left), formatNumber.value(limit))}
            </dd>
          </div>
        );
      })}
      <div>
        <dt>{texts.value.cost}</dt>
        <dd>{moneyLeft(quota)}</dd>
      </div>
    </dl>
  </section>
);

const Days = ({ days }: { days: readonly UsageDay[] }) => {
  const count = formatNumber.value;
  return (
    <Table
      label={texts.value.usage}
      items={days}
      columns={[
        [texts.value.day, ({ day }) => day],
        [texts.value.turns, ({ turns }) => count(turns), 'numbers'],
        [texts.value.calls, ({ calls }) => count(calls), 'numbers'],
        [texts.value.input, ({ usage }) => count(usage.input_tokens), 'numbers'],
        [texts.value.output, ({ usage }) => count(usage.output_tokens), 'numbers'],
        [texts.value.cached, ({ usage }) => count(usage.cache_read_tokens + usage.cache_written_tokens), 'numbers'],
        [texts.value.cost, costText, 'numbers'],
        [texts.value.models, ({ models }) => models.map(({ model }) => model).join(', ')],
      ]}
    />
  );
};

interface FigureProps {
  name: string;
  value: string;
  note: string;
}

const Figure = ({ name, value, note }: FigureProps) => (
  <div>
    <dt class="small">{name}</dt>
    <dd>
      <span class={`number ${styles.figure}`}>{value}</span>
      <span class="small muted">{note}</span>
    </dd>
  </div>
);

/** The usage of all days that are shown, each quantity beside that of today. */
const Figures = ({ days, today }: { days: readonly UsageDay[]; today: UsageDay }) => {
  const { turns, calls, tokens, cached, prompts, cost } = spentInAll(days);
  const count = formatNumber.value;
  const words = texts.value;
  const cachedPart = prompts === 0 ? '' : words.fromCache(Math.round((100 * cached) / prompts));
  return (
    <section aria-label={words.inAll(DAYS)}>
      <h2>{words.inAll(DAYS)}</h2>
      <dl class={styles.figures}>
        {cost !== null && (
          <Figure
            name={words.cost}
            value={formatCost(cost.amount, cost.currency)}
            note={words.todayOf(costText(today))}
          />
        )}
        <Figure name={words.tokens} value={count(tokens)} note={cachedPart} />
        <Figure name={words.calls} value={count(calls)} note={words.todayOf(count(today.calls))} />
        <Figure name={words.turns} value={count(turns)} note={words.todayOf(count(today.turns))} />
      </dl>
    </section>
  );
};

const Chart = ({ days, today }: { days: readonly UsageDay[]; today: string }) => {
  const measure = useSignal<Measure>('tokens');
  const bars = dayBars(days, today, DAYS, measure.value);
  const compact = new Intl.NumberFormat(locale.value, {
    notation: 'compact',
    maximumSignificantDigits: 3,
  });
  const currency = days.find(({ cost }) => cost !== undefined)?.cost?.currency;
  const isCostUnknown = measure.value === 'cost' && currency === undefined;
  return (
    <>
      <fieldset class="line" aria-label={texts.value.show}>
        <Switch
          label={texts.value.show}
          chosen={measure.value}
          choose={(name) => {
            measure.value = name;
          }}
          ways={MEASURES.map((value) => ({
            value,
            title:
              value === 'cost' && currency !== undefined ? `${texts.value.cost} (${currency})` : texts.value[value],
          }))}
        />
        {measure.value === 'tokens' &&
          LEGEND.map((name, i) => (
            <span key={name} class="line small muted">
              <i class={styles.swatch} style={{ background: COLOURS[i] }} />
              {texts.value[name]}
            </span>
          ))}
      </fieldset>
      {isCostUnknown ? (
        <p class="muted">{texts.value.noCost}</p>
      ) : (
        <DayChart
          bars={bars}
          label={texts.value.chart(texts.value[measure.value], DAYS)}
          format={(value) => compact.format(value)}
        />
      )}
    </>
  );
};

/** Usage by day, and the rest of the quota. */
export const UsagePart = () => (
  <LoadedPart class={`padded ${styles.sections}`} load={loadUsage}>
    {({ today, quota, days, sessions }) => (
      <>
        {quota !== null && <Quota quota={quota} />}
        {days.length === 0 ? (
          <Empty title={texts.value.noUsage}>{texts.value.noUsageHint}</Empty>
        ) : (
          <>
            <Figures days={days} today={today} />
            <section>
              <Chart days={days} today={today.day} />
            </section>
            <SpentOnTasks sessions={sessions} />
            <SpentOnModels days={days} />
            <SpentOnTools days={days} />
            <section>
              <h2>{texts.value.byDay}</h2>
              <Days days={days} />
            </section>
          </>
        )}
        <Users />
      </>
    )}
  </LoadedPart>
);
