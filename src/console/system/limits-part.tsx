import type { LimitView } from '../../../contracts/service-limits.ts';
import { listLimits } from '../api/service-routes.ts';
import { Meter } from '../design/meter.tsx';
import { formatBytes, formatNumber } from '../text/numbers.ts';
import { atLimitTexts, limitText, scopeTexts } from './limit-texts.ts';
import { LoadedPart } from './loaded-part.tsx';
import styles from './system.module.css';
import { texts } from './texts.ts';

/** A unit that counts bytes, which are shown in larger units where there are many. */
const BYTES = /^(?:bytes|字节)\s?/;

const isBytes = ({ unit }: LimitView): boolean => BYTES.test(unit);

const amount = (limit: LimitView, value: number): string =>
  isBytes(limit) ? formatBytes(value) : formatNumber.value(value);

const Used = ({ limit }: { limit: LimitView }) => {
  if (limit.used === null) return <span class={styles.muted}>–</span>;
  const used = amount(limit, limit.used);
  return (
    <>
      {used}
      <Meter
        label={`${used} / ${amount(limit, limit.limit)} ${limitText(limit).unit}`}
        used={limit.used}
        limit={limit.limit}
      />
    </>
  );
};

const Row = ({ limit }: { limit: LimitView }) => {
  const { unit, reason } = limitText(limit);
  return (
    <tr>
      <th scope="row">
        <code>{limit.name}</code>
      </th>
      <td class={styles.number} data-label={texts.value.used}>
        <Used limit={limit} />
      </td>
      <td class={styles.number} data-label={texts.value.limit} title={formatNumber.value(limit.limit)}>
        {amount(limit, limit.limit)} <span class={styles.muted}>{isBytes(limit) ? unit.replace(BYTES, '') : unit}</span>
      </td>
      <td data-label={texts.value.scope}>{scopeTexts.value[limit.scope]}</td>
      <td data-label={texts.value.atLimit}>{atLimitTexts.value[limit.at_limit]}</td>
      <td class={styles.muted}>{reason}</td>
    </tr>
  );
};

const COLUMNS = ['name', 'used', 'limit', 'scope', 'atLimit', 'why'] as const;

/** Everything that grows, what of it is in use, and where it ends. */
export const LimitsPart = () => (
  <LoadedPart load={listLimits}>
    {({ limits }) => (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, which the keyboard must reach.
      <section class={styles.scroll} tabIndex={0} aria-label={texts.value.limits}>
        <table class={styles.table}>
          <thead>
            <tr>
              {COLUMNS.map((name) => (
                <th key={name} scope="col">
                  {texts.value[name]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {limits.map((limit) => (
              <Row key={limit.name} limit={limit} />
            ))}
          </tbody>
        </table>
      </section>
    )}
  </LoadedPart>
);
