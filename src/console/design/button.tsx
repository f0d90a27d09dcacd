import type { JSX } from 'preact';
import styles from './button.module.css';

type ButtonProps = JSX.IntrinsicElements['button'] & {
  /** `primary`: what one mostly wants here, once a form; `danger`: ends something; `quiet`: one of many small ones; `text`: one within a line of text. */
  kind?: 'normal' | 'primary' | 'danger' | 'quiet' | 'text';
};

/** A button; it submits nothing unless its `type` says so. */
export const Button = ({ kind = 'normal', type = 'button', class: more, ...rest }: ButtonProps) => (
  <button {...rest} type={type} class={`${styles.button} ${styles[kind] ?? ''} ${more ?? ''}`} />
);
