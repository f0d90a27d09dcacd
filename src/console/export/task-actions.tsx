import { useSignal } from '@preact/signals';
import { useResource } from '../api/resource.ts';
import { firstEntry } from '../api/service-routes.ts';
import { lazy } from '../app/lazy.tsx';
import { Link } from '../app/link.tsx';
import { compareHref } from '../app/parse-route.ts';
import type { TaskProps } from '../app/task-props.ts';
import { Button } from '../design/button.tsx';
import styles from './export.module.css';
import { texts } from './texts.ts';

const ForkDialog = lazy(async () => (await import('../fork/fork-dialog.tsx')).ForkDialog);
const CompareDialog = lazy(async () => (await import('../compare/compare-dialog.tsx')).CompareDialog);
const ShareDialog = lazy(async () => (await import('./share-dialog.tsx')).ShareDialog);

/** The task that a session was forked from, as `session/task`; null: it is no fork. */
const originOf = async (session: string, signal: AbortSignal): Promise<string | null> => {
  const first = await firstEntry(session, signal);
  return first?.event.type === 'session.forked' ? `${first.event.from_session_id}/${first.event.from_task_id}` : null;
};

/** What can be done with a task: fork, compare, copy, export. */
export const TaskActions = ({ session, task }: TaskProps) => {
  const open = useSignal<'fork' | 'compare' | 'share' | null>(null);
  const { loaded } = useResource((signal) => originOf(session, signal), [session]);
  const origin = loaded.value.value ?? null;
  const close = (): void => {
    open.value = null;
  };
  const button = (name: 'fork' | 'compare' | 'share') => (
    <Button
      kind="quiet"
      onClick={() => {
        open.value = name;
      }}
    >
      {texts.value[name]}
    </Button>
  );
  return (
    <div class={styles.actions} role="toolbar" aria-label={texts.value.actions}>
      {button('fork')}
      {button('compare')}
      {button('share')}
      {origin !== null && (
        <Link class={styles.origin} href={compareHref(origin, `${session}/${task}`)}>
          {texts.value.compareOrigin}
        </Link>
      )}
      {open.value === 'fork' && <ForkDialog session={session} task={task} onClose={close} />}
      {open.value === 'compare' && <CompareDialog session={session} task={task} origin={origin} onClose={close} />}
      {open.value === 'share' && <ShareDialog session={session} task={task} onClose={close} />}
    </div>
  );
};
