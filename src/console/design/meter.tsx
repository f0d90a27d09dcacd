import styles from './design.module.css';

/** The share of its limit above which something counts as nearly used up. */
const NEARLY = 0.8;

interface MeterProps {
  /** The quantity, and how much of it is used, in words. */
  label: string;
  used: number;
  /** The limit. */
  limit: number;
}

/** A bar that shows how much of a limit is used. */
export const Meter = ({ label, used, limit }: MeterProps) => {
  const part = limit === 0 ? 1 : Math.min(1, used / limit);
  return (
    // biome-ignore lint/a11y/useSemanticElements: no two browsers draw <meter> alike, and none in our colours.
    <div
      class={styles.meter}
      role="meter"
      aria-label={label}
      aria-valuenow={used}
      aria-valuemin={0}
      aria-valuemax={Math.max(limit, used)}
      aria-valuetext={label}
      style={{ '--colour': `var(--${part < NEARLY ? 'running' : 'waiting'})` }}
    >
      <div style={{ width: `${part * 100}%` }} />
    </div>
  );
};
