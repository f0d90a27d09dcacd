import { useSignalEffect } from '@preact/signals';
import type { WaitingTask } from '../../../contracts/http.ts';
import { usePolled } from '../api/polled.ts';
import { Link } from '../app/link.tsx';
import { taskHref } from '../app/parse-route.ts';
import { Badge, shownState } from '../design/badge.tsx';
import { Failure, Loading } from '../design/notice.tsx';
import { Time } from '../design/time.tsx';
import styles from './inbox.module.css';
import { texts } from './texts.ts';
import { waiting, waitingCount } from './waiting.ts';

const askedFor = ({ task, question }: WaitingTask): string => {
  if (task.approval !== null) return texts.value.approval(task.approval.tool);
  return question ?? texts.value.paused;
};

const Item = ({ item, isOpen }: { item: WaitingTask; isOpen: boolean }) => (
  <li>
    <Link class={styles.item} href={taskHref(item.session_id, item.task.id)} aria-current={isOpen ? 'true' : undefined}>
      <span class={styles.head}>
        <Badge state={shownState(item.task)} />
        <span class={styles.session}>{item.session_id}</span>
        <Time at={item.since} />
      </span>
      <span class={styles.question}>{askedFor(item)}</span>
      <span class={styles.goal}>{item.task.goal}</span>
    </Link>
  </li>
);

/** Everything that waits for the user over all sessions; its count is in the page's title. */
export const Inbox = ({ session }: { session: string | null }) => {
  const { value, error } = usePolled(waiting).value;
  useSignalEffect(() => {
    document.title = waitingCount.value === 0 ? 'Tripact' : `(${waitingCount.value}) Tripact`;
  });
  return (
    <section class={styles.inbox} aria-labelledby="inbox-title">
      <h2 class={styles.title} id="inbox-title">
        {texts.value.title}
        {waitingCount.value > 0 && (
          <span class={styles.count} role="img" aria-label={texts.value.count(waitingCount.value)}>
            {waitingCount.value}
          </span>
        )}
      </h2>
      {value === undefined && (error === null ? <Loading /> : <Failure error={error} onRetry={waiting.refresh} />)}
      {value?.tasks.length === 0 && <p class={styles.none}>{texts.value.none}</p>}
      {value !== undefined && value.tasks.length > 0 && (
        <ul class={styles.list}>
          {value.tasks.map((item) => (
            <Item key={item.task.id} item={item} isOpen={item.session_id === session} />
          ))}
          {value.next !== null && <li class={styles.none}>{texts.value.more}</li>}
        </ul>
      )}
    </section>
  );
};
