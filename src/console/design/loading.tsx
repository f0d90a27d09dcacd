import { shared } from '../text/shared.ts';
import styles from './notice.module.css';

export const Loading = ({ what }: { what?: string }) => (
  <div class={styles.notice} role="status">
    {what ?? shared.value.loading}
  </div>
);
