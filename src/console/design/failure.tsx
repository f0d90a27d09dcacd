import { shared } from '../text/shared.ts';
import { Button } from './button.tsx';
import styles from './notice.module.css';

interface FailureProps {
  /** The error, whose message is shown. */
  error: unknown;
  title?: string;
  onRetry?: () => void;
}

/** An error with its reason and a button to try again. */
export const Failure = ({ error, title, onRetry }: FailureProps) => (
  <div class={`${styles.notice} ${styles.failed}`} role="alert">
    <h2>{title ?? shared.value.failedTitle}</h2>
    <p>{error instanceof Error ? error.message : String(error)}</p>
    {onRetry !== undefined && <Button onClick={onRetry}>{shared.value.retry}</Button>}
  </div>
);
