import type { WaitingTask } from '../../../contracts/http.ts';
import { Sign } from '../design/badge.tsx';
import { Boundary } from '../design/loaded.tsx';
import { MarkdownLine } from '../design/markdown.tsx';
import { Time } from '../design/time.tsx';
import { askedOf, kindOf, waiting, texts as waitingTexts } from '../inbox/waiting.ts';
import { isLeaving } from '../state/notices.ts';
import { taskHref } from '../state/route.ts';
import { leavingSession } from './delete-sessions.ts';
import styles from './list.module.css';

const WaitingRow = ({ item, isOpen }: { item: WaitingTask; isOpen: boolean }) => (
  <a
    class={`${styles.row} ${styles.waits}`}
    href={taskHref(item.session_id, item.task.id)}
    title={item.task.goal}
    aria-current={isOpen ? 'true' : undefined}
    data-row
  >
    <Sign meaning="waiting" />
    <span class="name clipped" dir="auto">
      <MarkdownLine text={askedOf(item.task, item.question)} />
    </span>
    <span class={`${styles.meta} number`}>
      {kindOf(item.task)} · <Time at={item.since} />
    </span>
  </a>
);

/** The tasks of all sessions that wait for the user, newest first, above the sessions. Draws nothing if none waits. */
export const WaitsPart = ({ session }: { session: string | null }) => {
  const tasks = (waiting.loaded.value.value?.tasks ?? [])
    .filter(({ session_id }) => !isLeaving(leavingSession(session_id)))
    .toSorted((one, other) => other.since.localeCompare(one.since));
  if (tasks.length === 0) return null;
  return (
    <section aria-labelledby="waits-title">
      <h2 id="waits-title" class={`label ${styles.title}`}>
        {waitingTexts.value.title}
      </h2>
      <ul>
        {tasks.map((item) => (
          <li key={`${item.task.id} ${item.since}`}>
            <Boundary>
              <WaitingRow item={item} isOpen={item.session_id === session} />
            </Boundary>
          </li>
        ))}
      </ul>
      {waiting.loaded.value.value?.next != null && (
        <p class={`muted small ${styles.more}`}>{waitingTexts.value.more}</p>
      )}
    </section>
  );
};
