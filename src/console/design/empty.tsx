import type { ComponentChildren } from 'preact';
import styles from './notice.module.css';

/** The placeholder of an empty screen or list: what would be here, and how it comes about. */
export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class={styles.notice}>
    <h2>{title}</h2>
    {children}
  </div>
);
