import { useSignal } from '@preact/signals';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { path, send } from '../api/request.ts';
import { useChange } from '../api/resource.ts';
import { useIsOperator } from '../api/role.ts';
import type { Conversation } from '../chat/conversation.ts';
import { Badge, shownState } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { copyText } from '../design/copy.tsx';
import { Icon } from '../design/icon.tsx';
import { lazy, Refusal } from '../design/loaded.tsx';
import { Menu, Popover } from '../design/popover.tsx';
import { runningNow } from '../design/time.tsx';
import { historyOf } from '../history/task-history.ts';
import { waiting } from '../inbox/waiting.ts';
import { notify } from '../state/notices.ts';
import { navigate, SESSIONS, sessionHref } from '../state/route.ts';
import { selectedSeq, shownAddress, showTaskDialog } from '../state/selection.ts';
import { isHeadNarrow, isPhone } from '../state/window.ts';
import { type OpenTask, shownView } from '../task/live-task.ts';
import { formatCost, formatDuration, formatRunning } from '../text/numbers.ts';
import styles from './session.module.css';
import { texts } from './texts.ts';

const Budget = lazy(async () => (await import('../task/budget.tsx')).Budget);
const RenameDialog = lazy(async () => (await import('../list/session-dialogs.tsx')).RenameDialog);
const RunPlanDialog = lazy(async () => (await import('./run-plan-dialog.tsx')).RunPlanDialog);
const DeleteDialog = lazy(async () => (await import('../list/session-dialogs.tsx')).DeleteDialog);

const isOver = ({ state }: TaskView): boolean => state === 'done' || state === 'failed' || state === 'cancelled';

/** How long the task took until the selected moment, in words; one that runs or waits goes on. */
const elapsedText = (of: OpenTask, view: TaskView): string => {
  const { entries, index, count } = historyOf(of);
  void count.value;
  const [first, last] = [entries[0], entries[index.value]];
  if (first === undefined || last === undefined) return '';
  const isGoingOn = selectedSeq.value === null && !isOver(view) && view.state !== 'paused';
  const until = isGoingOn ? runningNow.value : Date.parse(last.at);
  const elapsed = Math.max(0, until - Date.parse(first.at));
  return isGoingOn ? formatRunning(elapsed) : formatDuration(elapsed);
};

/** Time, steps and money of the task at the selected moment; they open its budget. */
const Figures = ({ of, view }: { of: OpenTask; view: TaskView }) => {
  const figures = [
    elapsedText(of, view),
    texts.value.steps(view.step_count, view.step_limit),
    view.cost === undefined ? '' : formatCost(Number(view.cost.amount), view.cost.currency),
  ].filter((figure) => figure !== '');
  return (
    <Popover
      kind="quiet"
      class={styles.figures}
      label={texts.value.budget}
      title={texts.value.showBudget}
      content={() => <Budget view={view} of={of} />}
    >
      {figures.map((figure, place) => (
        <span key={place} class="number">
          {figure}
        </span>
      ))}
    </Popover>
  );
};

const StateOfTask = ({ of }: { of: OpenTask }) => {
  const view = shownView(of);
  if (view === undefined) return null;
  return (
    <>
      <Badge state={shownState(view)} />
      {!isHeadNarrow.value && <Figures of={of} view={view} />}
    </>
  );
};

/** Ends what runs or waits now. An earlier moment has no such button. */
const Stop = ({ conversation: { situation, reload } }: { conversation: Conversation }) => {
  const { problem, change } = useChange(() => {
    reload();
    waiting.reload();
  });
  const { active } = situation.value;
  if (active === null || active.state === 'paused' || selectedSeq.value !== null) return null;
  const stop = (): Promise<boolean> => change(() => send(path`/v1/tasks/${active.id}/cancel`, { method: 'POST' }));
  return (
    <>
      <Refusal error={problem.value} />
      <Button
        icon="stop"
        kind="normal"
        class={styles.stop}
        title={isPhone.value ? texts.value.stop : texts.value.stopHint}
        onClick={() => void stop()}
      >
        {isPhone.value ? undefined : texts.value.stop}
      </Button>
    </>
  );
};

/** Copies the address of what is shown. */
const copyLink = async (): Promise<void> => {
  await copyText(shownAddress());
  notify(texts.value.linkCopied);
};

interface ActionsProps {
  session: string;
  /** The title that the user gave, or the first input. */
  title: string;
  hasTask: boolean;
}

/** Further actions on the task and on its session. */
const Actions = ({ session, title, hasTask }: ActionsProps) => {
  const dialog = useSignal<'rename' | 'delete' | 'plan' | null>(null);
  const isOperator = useIsOperator();
  const close = (): void => {
    dialog.value = null;
  };
  const words = texts.value;
  const fork = { title: words.fork, run: () => showTaskDialog('fork') };
  const share = { title: words.share, run: () => showTaskDialog('share') };
  const ofTask = [
    ...(isHeadNarrow.value ? [fork, share] : []),
    { title: words.compare, run: () => showTaskDialog('compare') },
    ...(isOperator ? [{ title: words.rerun, run: () => showTaskDialog('rerun') }] : []),
  ];
  const open = (name: 'rename' | 'delete' | 'plan') => (): void => {
    dialog.value = name;
  };
  const ofSession = [
    { title: words.runPlan, run: open('plan') },
    { title: words.copyLink, run: () => void copyLink() },
    { title: words.rename, run: open('rename') },
    { title: words.remove, isDangerous: true, run: open('delete') },
  ];
  return (
    <>
      <div class={styles.acts} role="toolbar" aria-label={words.actions}>
        {hasTask && !isHeadNarrow.value && (
          <>
            <Button kind="quiet" icon="fork" aria-haspopup="dialog" onClick={fork.run}>
              {words.fork}
            </Button>
            <Button kind="quiet" icon="share" aria-haspopup="dialog" onClick={share.run}>
              {words.share}
            </Button>
          </>
        )}
        <Menu
          icon="more"
          title={words.more}
          label={words.moreMenu}
          items={[...(hasTask ? ofTask : []), ...ofSession]}
        />
      </div>
      {dialog.value === 'plan' && <RunPlanDialog session={session} onClose={close} />}
      {dialog.value === 'rename' && <RenameDialog session={session} title={title} onClose={close} />}
      {dialog.value === 'delete' && (
        <DeleteDialog
          session={session}
          title={title}
          onClose={close}
          onDeleted={() => navigate(SESSIONS)}
          onRestored={() => navigate(sessionHref(session))}
        />
      )}
    </>
  );
};

/** The one header of a session: its title, its state, its time and cost, and its actions. */
export const SessionHead = ({ conversation, of }: { conversation: Conversation; of: OpenTask | null }) => {
  const { value, error } = conversation.session.value;
  const view = value ?? null;
  /** Nothing is known of it yet: it may have a title. */
  const isLoading = value === undefined && error === null;
  const isMissing = value === null && !conversation.outgoing.wasSent.value;
  return (
    <header class={styles.head}>
      {isPhone.value && (
        <a class={styles.back} href={SESSIONS} aria-label={texts.value.toList}>
          <Icon name="left" />
        </a>
      )}
      <h2 class="clipped" dir="auto" title={view?.title ?? undefined}>
        {view?.title ?? (isLoading ? '' : isMissing ? texts.value.noSession : texts.value.newTitle)}
      </h2>
      {view?.agent != null && !isHeadNarrow.value && (
        <span class={`${styles.agent} clipped muted small`} title={texts.value.agent}>
          {view.agent}
        </span>
      )}
      {of !== null && <StateOfTask of={of} />}
      {view !== null && (
        <Actions session={view.session_id} title={view.title ?? view.session_id} hasTask={of !== null} />
      )}
      <Stop conversation={conversation} />
    </header>
  );
};
