import styles from './design.module.css';

interface SwitchProps<Value extends string> {
  label: string;
  ways: readonly { value: Value; title: string; isOff?: boolean }[];
  chosen: Value;
  choose: (value: Value) => void;
}

/** A switch between a few ways to show the same. */
export const Switch = <Value extends string>({ label, ways, chosen, choose }: SwitchProps<Value>) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand in a line of text.
  <span class={styles.switch} role="group" aria-label={label}>
    {ways.map(({ value, title, isOff = false }) => (
      <button key={value} type="button" aria-pressed={value === chosen} disabled={isOff} onClick={() => choose(value)}>
        {title}
      </button>
    ))}
  </span>
);
