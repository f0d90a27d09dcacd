import { useSignal } from '@preact/signals';
import type { SessionView } from '../../../contracts/http.ts';
import { nameOf } from '../api/sessions.ts';
import { meaningOf, Sign, shownState } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { Hit } from '../design/hit.tsx';
import { Icon } from '../design/icon.tsx';
import { lazy } from '../design/loaded.tsx';
import { Time } from '../design/time.tsx';
import { chosenSessions, toggleChosen } from '../state/chosen-sessions.ts';
import { navigate, SESSIONS, sessionHref } from '../state/route.ts';
import { formatCost } from '../text/numbers.ts';
import { type StateName, states } from '../text/states.ts';
import styles from './list.module.css';
import { texts } from './texts.ts';

const RenameDialog = lazy(async () => (await import('./session-dialogs.tsx')).RenameDialog);
const DeleteDialog = lazy(async () => (await import('./session-dialogs.tsx')).DeleteDialog);

/** The state of a session's last task. */
export const stateOf = ({ last_task, queue }: SessionView): StateName => {
  if (last_task !== null) return shownState(last_task);
  return queue.length > 0 ? 'queued' : 'idle';
};

interface RowProps {
  session: SessionView;
  /** The searched words. */
  words: readonly string[];
  isOpen: boolean;
  /** Reloads the list. */
  reload: () => void;
}

/** A text without the marks of where it was cut. */
const uncut = (text: string): string => text.replace(/^…\s*|…$/g, '');

/** True if a hit is in the title, where the words are marked anyway, or goes on where the title is cut. */
const isTitle = (hit: string, title: string): boolean => {
  const [words, name] = [uncut(hit), uncut(title)];
  return name.includes(words) || words.startsWith(name);
};

/** The text of a session's row: its title, and below it its state, when it was used last, and what it cost. */
const AboutSession = ({ session, words }: Pick<RowProps, 'session' | 'words'>) => {
  const { queue, updated_at, cost } = session;
  const down = session.feedback?.down ?? 0;
  const state = stateOf(session);
  return (
    <>
      <span class="name clipped" dir="auto">
        <Hit text={nameOf(session)} words={words} />
      </span>
      <span class={`${styles.meta} number`}>
        <span class="sentence" data-state={state}>
          {states.value[meaningOf(state) === 'running' ? 'running' : state]}
        </span>
        {queue.length > 0 && ` ${texts.value.queued(queue.length)}`} · <Time at={updated_at} />
        {cost !== undefined && ` · ${formatCost(Number(cost.amount), cost.currency)}`}
        {down > 0 && (
          <>
            {' · '}
            <span class={styles.rated} role="img" aria-label={texts.value.ratedDown(down)}>
              <Icon name="thumb-down" /> {down}
            </span>
          </>
        )}
      </span>
      {session.hit !== undefined && !isTitle(session.hit, nameOf(session)) && (
        <span class={styles.meta} dir="auto">
          <Hit text={session.hit} words={words} />
        </span>
      )}
    </>
  );
};

/** A session that can be chosen, while several are. */
export const ChoosableRow = ({ session, words }: Pick<RowProps, 'session' | 'words'>) => (
  <label class={styles.row} data-session={session.session_id}>
    <input
      type="checkbox"
      aria-label={texts.value.choose(nameOf(session))}
      checked={chosenSessions.value?.has(session.session_id)}
      onChange={() => toggleChosen(session.session_id)}
    />
    <AboutSession session={session} words={words} />
  </label>
);

/** A session, which a click opens. */
export const SessionRow = ({ session, words, isOpen, reload }: RowProps) => {
  const { session_id } = session;
  const name = nameOf(session);
  const dialog = useSignal<'rename' | 'delete' | null>(null);
  const close = (): void => {
    dialog.value = null;
  };
  return (
    <>
      <a
        class={styles.row}
        href={sessionHref(session_id)}
        title={`${name}\n${session_id}`}
        aria-current={isOpen ? 'page' : undefined}
        data-session={session_id}
        data-row
      >
        <Sign meaning={meaningOf(stateOf(session))} />
        <AboutSession session={session} words={words} />
      </a>
      <span class={styles.acts}>
        <Button
          icon="rename"
          size="small"
          title={texts.value.rename(name)}
          onClick={() => {
            dialog.value = 'rename';
          }}
        />
        <Button
          icon="delete"
          size="small"
          title={texts.value.remove(name)}
          onClick={() => {
            dialog.value = 'delete';
          }}
        />
      </span>
      {dialog.value === 'rename' && (
        <RenameDialog session={session_id} title={name} onClose={close} onRenamed={reload} />
      )}
      {dialog.value === 'delete' && (
        <DeleteDialog
          session={session_id}
          title={name}
          onClose={close}
          {...(isOpen && { onDeleted: () => navigate(SESSIONS), onRestored: () => navigate(sessionHref(session_id)) })}
        />
      )}
    </>
  );
};
