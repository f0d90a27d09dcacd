import type { ComponentChildren } from 'preact';
import { shared } from '../text/shared.ts';
import { Button } from './button.tsx';
import styles from './design.module.css';

/** The placeholder of an empty screen or list: what would be here, and how it comes about. */
export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class={`stack ${styles.notice}`}>
    <h2>{title}</h2>
    {children}
  </div>
);

/** An error in words for its user. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Why a change was refused, in a line; nothing where it was not. */
export const Refusal = ({ error }: { error: unknown }) =>
  error === null ? null : (
    <p class="refusal" role="alert">
      {messageOf(error)}
    </p>
  );

interface FailureProps {
  /** The error, whose message is shown. */
  error: unknown;
  title?: string;
  onRetry?: () => void;
}

/** An error with its reason and a button to try again. */
export const Failure = ({ error, title, onRetry }: FailureProps) => (
  <div class={`stack ${styles.notice}`} role="alert">
    <h2 class="refusal">{title ?? shared.value.failedTitle}</h2>
    <p class="as-written">{messageOf(error)}</p>
    {onRetry !== undefined && <Button onClick={onRetry}>{shared.value.retry}</Button>}
  </div>
);

/** The shape of what is being loaded, and in words for who does not see it. */
export const Loading = ({ what }: { what?: string }) => (
  <div class={`stack fades ${styles.skeleton}`} role="status">
    <span class="visually-hidden">{what ?? shared.value.loading}</span>
    <i />
    <i />
    <i />
  </div>
);
