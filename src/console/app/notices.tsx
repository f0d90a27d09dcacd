import { Button } from '../design/button.tsx';
import { notices } from '../state/notices.ts';
import { plainKeys } from '../state/shortcuts.ts';
import { shell } from '../text/shell.ts';
import styles from './app.module.css';

/** Notices of things just done, at the bottom of the page, with the way back where there is one. */
export const Notices = () => (
  <div class={styles.notices} role="status">
    {notices.value.map(({ id, text, undo, isFailure }) => (
      <p key={id} class={`fades ${styles.notice}`} data-failure={isFailure}>
        <span dir="auto">{text}</span>
        {undo !== null && (
          <Button kind="quiet" aria-keyshortcuts={plainKeys.value === 'on' ? 'z' : undefined} onClick={undo}>
            {shell.value.undo} {plainKeys.value === 'on' && <kbd>Z</kbd>}
          </Button>
        )}
      </p>
    ))}
  </div>
);
