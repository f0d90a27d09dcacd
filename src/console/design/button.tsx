import type { JSX } from 'preact';
import styles from './design.module.css';
import { Icon, type IconName } from './icon.tsx';

export type ButtonProps = Omit<JSX.IntrinsicElements['button'], 'size'> & {
  /**
   * `primary`: the main action, one a pane; `danger`: ends something; `quiet`: one of many small ones; `link`: within a
   * line of text.
   */
  kind?: 'normal' | 'primary' | 'danger' | 'quiet' | 'link';
  /** `large`: it decides something; `small`: it stands in a row. */
  size?: 'normal' | 'large' | 'small';
  /** Before its text. Without a text, the title is its label. */
  icon?: IconName;
};

/** A button. It submits nothing unless its `type` says so. */
export const Button = ({ icon, size, class: more, children, ...props }: ButtonProps) => {
  const isSquare = icon !== undefined && children === undefined;
  const { kind = isSquare ? 'quiet' : 'normal', ...rest } = props;
  const classes = [styles.button, styles[kind], size && styles[size], isSquare && styles.square, more];
  return (
    <button
      type="button"
      aria-label={isSquare ? rest.title : undefined}
      {...rest}
      class={classes.filter(Boolean).join(' ')}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
};
