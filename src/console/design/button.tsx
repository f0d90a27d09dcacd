import type { JSX } from 'preact';
import styles from './design.module.css';

export type ButtonProps = JSX.IntrinsicElements['button'] & {
  /**
   * `primary`: the main action, one a form; `danger`: ends something; `quiet`: one of many small ones; `link`: within a
   * line of text.
   */
  kind?: 'normal' | 'primary' | 'danger' | 'quiet' | 'link';
  /** Shows only this icon, with its title as its label. */
  icon?: IconName;
};

/** Strokes of each icon, in a square of 16, including one for each meaning of a state. */
const paths = {
  play: 'M5 3.5v9l7.5-4.5z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  previous: 'M11 4 6.5 8l4.5 4M4.5 4v8',
  next: 'M5 4l4.5 4L5 12M11.5 4v8',
  plus: 'M8 3.5v9M3.5 8h9',
  minus: 'M3.5 8h9',
  whole: 'M3.5 6.5v-3h3M9.5 3.5h3v3M12.5 9.5v3h-3M6.5 12.5h-3v-3',
  close: 'M4 4l8 8M12 4l-8 8',
  rename: 'M3 13h2.5L13 5.5 10.5 3 3 10.5zM9 4.5 11.5 7',
  delete: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.5 8.5h6l.5-8.5',
  keys: 'M2 4.5h12v7H2zM4.5 7h.01M7 7h.01M9.5 7h.01M12 7h.01M5 9.5h6',
  system: 'M2.5 3.5h11v7h-11zM6 13h4M8 10.5V13',
  light:
    'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
  running: 'M8 3a5 5 0 1 1-5 5',
  waiting: 'M8 3.2v5.6M8 12.4v.2',
  paused: 'M6 4.5v7M10 4.5v7',
  done: 'M3.5 8.5 7 12l6-7.5',
  failed: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  neutral: 'M5.5 8h5',
  dark: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z',
} as const;

export type IconName = keyof typeof paths;

/** A small drawing that repeats its button's label. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg
    width="16"
    height="16"
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
);

/** A button. It submits nothing unless its `type` says so. */
export const Button = ({ icon, kind = icon ? 'quiet' : 'normal', class: more, children, ...rest }: ButtonProps) => (
  <button
    type="button"
    aria-label={icon && rest.title}
    {...rest}
    class={`${styles.button} ${styles[kind] ?? ''} ${more ?? ''}`}
  >
    {icon === undefined ? children : <Icon name={icon} />}
  </button>
);
