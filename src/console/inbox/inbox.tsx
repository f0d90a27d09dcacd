import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TurnRequest, WaitingTask } from '../../../contracts/http.ts';
import { useChange } from '../api/resource.ts';
import { sendTurn } from '../api/routes.ts';
import { Button } from '../design/button.tsx';
import { Boundary, Loaded, Refusal } from '../design/loaded.tsx';
import { MarkdownLine } from '../design/markdown.tsx';
import { Time } from '../design/time.tsx';
import { navigate, taskHref } from '../state/route.ts';
import { shared } from '../text/shared.ts';
import styles from './inbox.module.css';
import { askedFor, askForNotifications, mayAskForNotifications, texts, waiting, waitingCount } from './waiting.ts';

/** An element, and whether all its text is visible: false until known. */
const useWhole = (text: string | undefined) => {
  const ref = useRef<HTMLElement>(null);
  const isWhole = useSignal(false);
  useLayoutEffect(() => {
    const { current: element } = ref;
    if (element === null) return;
    // Called first when it starts to observe, before anything is painted.
    const resized = new ResizeObserver(() => {
      const { scrollHeight, clientHeight, scrollWidth, clientWidth } = element;
      isWhole.value = scrollHeight <= clientHeight && scrollWidth <= clientWidth;
    });
    resized.observe(element);
    return () => resized.disconnect();
  }, [text]);
  return { ref, isWhole: isWhole.value };
};

interface ActsProps {
  item: WaitingTask;
  /** The row shows the action's whole input. */
  isWhole: boolean;
}

/**
 * The buttons of a waiting task in its row: yes and no to an action whose whole input is visible, else the way to it;
 * continue for a pause. A question is answered in its session.
 */
const Acts = ({ item: { session_id, task }, isWhole }: ActsProps) => {
  const { problem, change } = useChange(waiting.reload);
  const isSent = useSignal(false);
  const send = async (body: TurnRequest): Promise<void> => {
    isSent.value = true;
    isSent.value = await change(() => sendTurn(session_id, body));
  };
  const act = (label: string, kind: 'normal' | 'primary', body: TurnRequest) => (
    <Button kind={kind} disabled={isSent.value} onClick={() => void send(body)}>
      {label}
    </Button>
  );
  const buttons = ({ approval, state }: WaitingTask['task']) => {
    if (approval === null)
      return state === 'paused' ? act(shared.value.continue, 'normal', { input: `/resume ${task.id}` }) : null;
    if (!isWhole) return <Button onClick={() => navigate(taskHref(session_id, task.id))}>{texts.value.review}</Button>;
    return (
      <>
        {act(texts.value.yes, 'primary', { decision: { type: 'approve', approval: approval.id } })}
        {act(texts.value.no, 'normal', { decision: { type: 'reject', approval: approval.id } })}
      </>
    );
  };
  const shown = buttons(task);
  if (shown === null) return null;
  return (
    <div class={`${styles.acts} line`}>
      {shown}
      <Refusal error={problem.value} />
    </div>
  );
};

const Item = ({ item, isOpen }: { item: WaitingTask; isOpen: boolean }) => {
  const { input, reason } = item.task.approval ?? {};
  const shown = useWhole(input);
  return (
    <>
      <a
        class={`row ${styles.link}`}
        href={taskHref(item.session_id, item.task.id)}
        aria-current={isOpen ? 'true' : undefined}
        data-row
      >
        <span class={styles.question} dir="auto">
          <MarkdownLine text={askedFor(item)} />
        </span>
        <span class="muted small">
          <Time at={item.since} />
        </span>
        <span class="clipped muted small" dir="auto">
          {item.task.goal}
        </span>
        {reason !== undefined && (
          <span class="muted small" dir="auto">
            {reason}
          </span>
        )}
        {input !== undefined && (
          <code ref={shown.ref} class={styles.input}>
            {input}
          </code>
        )}
      </a>
      <Acts item={item} isWhole={shown.isWhole} />
    </>
  );
};

/** Everything that waits for the user, over all sessions. */
export const Inbox = ({ session }: { session: string | null }) => {
  return (
    <section class={styles.inbox} aria-labelledby="inbox-title">
      <div class="bar">
        <h2 id="inbox-title">{texts.value.title}</h2>
        {waitingCount.value > 0 && (
          <span class={styles.count} role="img" aria-label={texts.value.count(waitingCount.value)}>
            {waitingCount.value}
          </span>
        )}
        <span class="fill" />
        {mayAskForNotifications.value && (
          <Button kind="quiet" onClick={() => void askForNotifications()}>
            {texts.value.notify}
          </Button>
        )}
      </div>
      <Loaded from={waiting.loaded.value} onRetry={waiting.reload}>
        {({ tasks, next }) => (
          <ul class={styles.list}>
            {tasks.length === 0 && <li class={`${styles.none} muted`}>{texts.value.none}</li>}
            {tasks.map((item) => (
              <li key={`${item.task.id} ${item.since}`}>
                <Boundary>
                  <Item item={item} isOpen={item.session_id === session} />
                </Boundary>
              </li>
            ))}
            {next !== null && <li class={`${styles.none} muted`}>{texts.value.more}</li>}
          </ul>
        )}
      </Loaded>
    </section>
  );
};
