import { useSignal } from '@preact/signals';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { cancelTask } from '../api/routes.ts';
import { Badge, shownState } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { ShortId } from '../design/copy.tsx';
import { waiting } from '../inbox/waiting.ts';
import styles from './chat.module.css';
import type { Conversation } from './conversation.ts';
import { situationOf } from './situation.ts';
import { texts } from './texts.ts';

interface ChatHeadProps {
  session: string;
  conversation: Conversation;
}

/** The line above a conversation: its session, what that does now, and the button that ends its task. */
export const ChatHead = ({ session, conversation }: ChatHeadProps) => {
  const problem = useSignal<string | null>(null);
  const active: TaskView | null = conversation.session.value?.active_task ?? null;
  const { stoppable, isPaused } = situationOf(conversation.turns.value, active);
  const stop = async (task: string): Promise<void> => {
    problem.value = null;
    try {
      await cancelTask(task);
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
    }
    conversation.refresh();
    waiting.refresh();
  };
  return (
    <header class={styles.head}>
      <h2 class={styles.session}>
        <ShortId id={session} isWhole />
      </h2>
      {active !== null ? <Badge state={shownState(active)} /> : isPaused && <Badge state="paused" />}
      {problem.value !== null && (
        <span class={styles.refused} role="alert">
          {problem.value}
        </span>
      )}
      {stoppable !== null && (
        <Button kind="danger" class={styles.stop} title={texts.value.stopHint} onClick={() => void stop(stoppable)}>
          {texts.value.stop}
        </Button>
      )}
    </header>
  );
};
