import { useSignal } from '@preact/signals';
import type { TaskView, TurnRequest, TurnView } from '../../../contracts/http.ts';
import { cancelTask } from '../api/routes.ts';
import { selectSeq } from '../app/selection.ts';
import { Button } from '../design/button.tsx';
import { waiting } from '../inbox/waiting.ts';
import { ApprovalForm } from './approval-form.tsx';
import styles from './chat.module.css';
import { Composer } from './composer.tsx';
import type { Conversation } from './conversation.ts';
import { QuestionForm } from './question-form.tsx';
import { texts } from './texts.ts';

/** What the session does, as its newest task turn and its active task say it. */
const situation = (
  turns: readonly TurnView[],
  active: TaskView | null,
): { mode: 'goal' | 'answer' | 'busy'; asking: TurnView | null; stoppable: string | null; isPaused: boolean } => {
  const last = turns.findLast(({ kind }) => kind === 'task');
  const asking = active?.state === 'awaiting_user' && last?.status === 'asking' ? last : null;
  const isOpen = turns.some(({ finished_at }) => finished_at === null);
  const isPaused = !isOpen && last?.status === 'paused' && last.task_id === (active?.id ?? last.task_id);
  const stoppable = active !== null && active.state !== 'paused' ? active.id : null;
  return { mode: asking !== null ? 'answer' : isOpen ? 'busy' : 'goal', asking, stoppable, isPaused };
};

/** What can be done now: the open question or approval, continue, stop, and the field to write in. */
export const Controls = ({ conversation, name }: { conversation: Conversation; name: string }) => {
  const { turns, session, outgoing } = conversation;
  const stopProblem = useSignal<string | null>(null);
  const active = session.value?.active_task ?? null;
  const { mode, asking, stoppable, isPaused } = situation(turns.value, active);
  const isSending = outgoing.turns.value.some(({ problem }) => problem === null);
  const send = (body: TurnRequest): void => {
    // What comes of it is at the end.
    selectSeq(null);
    outgoing.send(body);
  };
  const stop = async (task: string): Promise<void> => {
    stopProblem.value = null;
    try {
      await cancelTask(task);
    } catch (error) {
      stopProblem.value = error instanceof Error ? error.message : String(error);
    }
    conversation.refresh();
    waiting.refresh();
  };
  return (
    <div class={styles.controls}>
      {asking !== null && !isSending && asking.approval === null && <QuestionForm turn={asking} send={send} />}
      {asking !== null && !isSending && asking.approval !== null && (
        <ApprovalForm key={asking.id} approval={asking.approval} send={send} />
      )}
      <div class={styles.actions}>
        {isPaused && !isSending && (
          <>
            <span class={styles.hint}>{texts.value.continueHint}</span>
            <Button kind="primary" onClick={() => send({ input: 'continue' })}>
              {texts.value.continue}
            </Button>
          </>
        )}
        {stoppable !== null && (
          <Button kind="danger" onClick={() => void stop(stoppable)}>
            {texts.value.stop}
          </Button>
        )}
        {stopProblem.value !== null && <span role="alert">{stopProblem.value}</span>}
      </div>
      <Composer session={name} mode={mode} send={send} />
    </div>
  );
};
