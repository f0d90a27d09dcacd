import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../design/icon.tsx';
import { waitingCount, texts as waitingTexts } from '../inbox/waiting.ts';
import { listPlace, mayOpenList, openList } from '../state/list-place.ts';
import { HOME, route, SESSIONS, SYSTEM, TRACE } from '../state/route.ts';
import { shell } from '../text/shell.ts';
import styles from './app.module.css';
import { Mark } from './mark.tsx';
import { KeysButton, LanguageButton, Me, ThemeButton } from './preferences.tsx';

interface PlaceProps {
  icon: IconName;
  label: string;
  href: string;
  isCurrent: boolean;
  children?: ComponentChildren;
}

const Place = ({ icon, label, href, isCurrent, children }: PlaceProps) => (
  <a class={styles.place} href={href} aria-current={isCurrent ? 'page' : undefined}>
    <Icon name={icon} />
    {label}
    {children}
  </a>
);

/** The list of sessions: where it has no room beside the open session, it opens over it. */
const SessionsPlace = () => {
  const { page } = route.value;
  const isOver = listPlace.value === 'over';
  return (
    <a
      class={styles.place}
      href={SESSIONS}
      aria-current={page === 'session' || page === 'sessions' ? 'page' : undefined}
      aria-expanded={mayOpenList.value ? isOver : undefined}
      onClick={(event) => {
        if (!mayOpenList.peek() || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        openList(!isOver);
      }}
    >
      <Icon name="sessions" />
      {shell.value.sessions}
    </a>
  );
};

/** The rail: the four places of the console, and below them what is the browser's own. */
export const Rail = () => {
  const { page } = route.value;
  const count = waitingCount.value;
  const words = shell.value;
  return (
    <nav class={styles.rail} aria-label={words.rail} data-page={page}>
      <a class={styles.mark} href={HOME} aria-label={words.home}>
        <Mark />
      </a>
      {page === 'home' && (
        <span class={styles.wordmark} aria-hidden="true">
          Tripact
        </span>
      )}
      <Place icon="inbox" label={words.inbox} href={HOME} isCurrent={page === 'home'}>
        {count > 0 && (
          <span class={styles.count}>
            {count}
            <span class="visually-hidden"> {waitingTexts.value.waits}</span>
          </span>
        )}
      </Place>
      <SessionsPlace />
      <Place icon="traces" label={words.traces} href={TRACE} isCurrent={page === 'trace' || page === 'reruns'} />
      <Place icon="system" label={words.system} href={SYSTEM} isCurrent={page === 'system'} />
      <div class={styles.low}>
        <Me class={styles.place} />
        <KeysButton class={styles.place} />
        <ThemeButton class={styles.place} />
        <LanguageButton class={styles.place} />
      </div>
    </nav>
  );
};
