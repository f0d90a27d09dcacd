import type { LimitView } from '../../../contracts/service-limits.ts';
import { listLimits } from '../api/service-routes.ts';
import { LoadedPart } from './loaded-part.tsx';
import styles from './system.module.css';
import { texts } from './texts.ts';

/** Share of a limit above which its bar warns. */
const NEARLY = 0.8;

const Used = ({ limit: { used, limit, unit } }: { limit: LimitView }) => {
  if (used === null) return <span class={styles.muted}>–</span>;
  const isNear = used > limit * NEARLY;
  return (
    <>
      {used.toLocaleString()}
      <meter
        class={isNear ? styles.near : ''}
        min={0}
        max={limit}
        value={used}
        aria-label={`${used} / ${limit} ${unit}`}
      />
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
                  {row.limit.toLocaleString()} <span class={styles.muted}>{row.unit}</span>
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
