import { useSignal } from '@preact/signals';
import type { QuotaView, UserView } from '../../../contracts/access.ts';
import type { UsageDay } from '../../../contracts/usage.ts';
import { getUsage, listUsers } from '../api/service-routes.ts';
import { Button } from '../design/button.tsx';
import { Empty } from '../design/notice.tsx';
import { formatNumber, locale } from '../text/numbers.ts';
import { DayChart, dayBars, type Measure } from './day-chart.tsx';
import { LoadedPart, Table } from './loaded-part.tsx';
import styles from './system.module.css';
import { texts } from './texts.ts';

/** Somebody's use of today beside their daily limits: a cell each for turns and tokens. */
export const UsedToday = ({ listed: { quota, today } }: { listed: Pick<UserView, 'quota' | 'today'> }) =>
  (['turns', 'tokens'] as const).map((name) => {
    const limit = quota?.[`${name}_per_day`] ?? null;
    return (
      <td key={name} data-label={texts.value[name]} class={styles.number}>
        {formatNumber.value(today[name])} / {limit === null ? texts.value.anyNumber : formatNumber.value(limit)}
      </td>
    );
  });

/** Today's use of each user of a front end, for operators; nothing for others, and where there are none. */
export const UsersPart = () => (
  <LoadedPart load={listUsers} otherwise={() => <></>}>
    {(users) =>
      users.length > 0 && (
        <>
          <h2>{texts.value.users}</h2>
          <Table label={texts.value.users} columns={[texts.value.user, texts.value.turns, texts.value.tokens]}>
            {users.map((listed) => (
              <tr key={listed.user}>
                <th scope="row">{listed.user}</th>
                <UsedToday listed={listed} />
              </tr>
            ))}
          </Table>
        </>
      )
    }
  </LoadedPart>
);

/** Days that are shown. */
const DAYS = 30;

const MEASURES: readonly Measure[] = ['tokens', 'turns', 'cost'];

/** Parts of a bar of tokens, from the bottom up. */
const LEGEND = ['cached', 'input', 'output'] as const;

const costText = ({ cost, calls }: UsageDay): string =>
  cost !== undefined ? `${cost.amount} ${cost.currency}` : calls === 0 ? '0' : '–';

/** A day's numbers, by the names of their columns. */
const countsOf = ({ turns, calls, usage }: UsageDay) =>
  [
    ['turns', turns],
    ['calls', calls],
    ['input', usage.input_tokens],
    ['output', usage.output_tokens],
    ['cached', usage.cache_read_tokens + usage.cache_written_tokens],
  ] as const;

const Quota = ({ quota }: { quota: QuotaView }) => {
  const rows = [
    [texts.value.turns, quota.turns_left, quota.turns_per_day],
    [texts.value.tokens, quota.tokens_left, quota.tokens_per_day],
  ] as const;
  return (
    <dl class={styles.pairs}>
      {rows.map(([name, left, limit]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {left === null || limit === null
              ? texts.value.anyNumber
              : texts.value.left(formatNumber.value(left), formatNumber.value(limit))}
          </dd>
        </div>
      ))}
    </dl>
  );
};

const COLUMNS = ['day', 'turns', 'calls', 'input', 'output', 'cached', 'cost', 'models'] as const;

const Days = ({ days }: { days: readonly UsageDay[] }) => (
  <Table label={texts.value.usage} columns={COLUMNS.map((name) => texts.value[name])}>
    {days.map((day) => (
      <tr key={day.day}>
        <th scope="row">{day.day}</th>
        {countsOf(day).map(([name, value]) => (
          <td key={name} class={styles.number} data-label={texts.value[name]}>
            {formatNumber.value(value)}
          </td>
        ))}
        <td class={styles.number} data-label={texts.value.cost}>
          {costText(day)}
        </td>
        <td class={styles.muted} data-label={texts.value.models}>
          {day.models.map(({ model }) => model).join(', ')}
        </td>
      </tr>
    ))}
  </Table>
);

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
      <fieldset class={styles.choices} aria-label={texts.value.show}>
        {MEASURES.map((name) => (
          <Button
            key={name}
            kind={name === measure.value ? 'normal' : 'quiet'}
            aria-pressed={name === measure.value}
            onClick={() => {
              measure.value = name;
            }}
          >
            {texts.value[name]}
            {name === 'cost' && currency !== undefined && ` (${currency})`}
          </Button>
        ))}
        {measure.value === 'tokens' &&
          LEGEND.map((name, i) => (
            <span key={name} class={styles.legend}>
              <span class={`${styles.swatch} ${styles[`swatch${i}`] ?? ''}`} />
              {texts.value[name]}
            </span>
          ))}
      </fieldset>
      {isCostUnknown ? (
        <p class={styles.muted}>{texts.value.noCost}</p>
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
  <LoadedPart load={(signal) => getUsage(DAYS, signal)}>
    {({ today, quota, days }) => (
      <div class={styles.part}>
        {quota !== null && (
          <>
            <h2>{texts.value.quota}</h2>
            <Quota quota={quota} />
          </>
        )}
        {days.length === 0 ? (
          <Empty title={texts.value.noUsage}>
            <p>{texts.value.noUsageHint}</p>
          </Empty>
        ) : (
          <>
            <Chart days={days} today={today.day} />
            <Days days={days} />
          </>
        )}
        <UsersPart />
      </div>
    )}
  </LoadedPart>
);
