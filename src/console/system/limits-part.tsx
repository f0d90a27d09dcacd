import type { LimitView } from '../../../contracts/service-limits.ts';
import { listLimits } from '../api/service-routes.ts';
import { Meter } from '../design/meter.tsx';
import { formatNumber } from '../text/numbers.ts';
import { LoadedPart } from './loaded-part.tsx';
import styles from './system.module.css';
import { texts } from './texts.ts';

const Used = ({ limit: { used, limit, unit } }: { limit: LimitView }) => {
  if (used === null) return <span class={styles.muted}>–</span>;
  const written = formatNumber.value;
  return (
    <>
      {written(used)}
      <Meter label={`${written(used)} / ${written(limit)} ${unit}`} used={used} limit={limit} />
    </>
  );
};

/** Everything that grows, what of it is in use, and where it ends. */
export const LimitsPart = () => (
  <LoadedPart load={listLimits}>
    {({ limits }) => (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, which the keyboard must reach.
      <section class={styles.scroll} tabIndex={0} aria-label={texts.value.limits}>
        <table class={styles.table}>
          <thead>
            <tr>
              <th scope="col">{texts.value.name}</th>
              <th scope="col">{texts.value.used}</th>
              <th scope="col">{texts.value.limit}</th>
              <th scope="col">{texts.value.scope}</th>
              <th scope="col">{texts.value.atLimit}</th>
              <th scope="col">{texts.value.why}</th>
            </tr>
          </thead>
          <tbody>
            {limits.map((row) => (
              <tr key={row.name}>
                <th scope="row">
                  <code>{row.name}</code>
                </th>
                <td class={styles.number} data-label={texts.value.used}>
                  <Used limit={row} />
                </td>
                <td class={styles.number} data-label={texts.value.limit}>
                  {formatNumber.value(row.limit)} <span class={styles.muted}>{row.unit}</span>
                </td>
                <td data-label={texts.value.scope}>{row.scope}</td>
                <td data-label={texts.value.atLimit}>{row.at_limit}</td>
                <td class={styles.muted}>{row.reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    )}
  </LoadedPart>
);
