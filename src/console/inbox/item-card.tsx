import { useSignal } from '@preact/signals';
import type { ApprovalCard as OthersAction, TurnRequest, WaitingTask } from '../../../contracts/http.ts';
import { path, send as request } from '../api/request.ts';
import { useChange } from '../api/resource.ts';
import { sendTurn } from '../api/routes.ts';
import { ApprovalCard } from '../card/approval-card.tsx';
import { FailuresCard, PauseCard } from '../card/pause-card.tsx';
import { PlanCard, QuestionCard } from '../card/question-card.tsx';
import { ToolQuestionCard } from '../card/tool-question-card.tsx';
import { Refusal } from '../design/loaded.tsx';
import { navigate, taskHref } from '../state/route.ts';
import styles from './inbox.module.css';
import { type InboxItem, sessionOf } from './inbox-items.ts';
import { approvals, mayDecide, texts, waiting } from './waiting.ts';

const reloadInbox = (): void => {
  waiting.reload();
  approvals.reload();
};

/** A change that is made once; a refused one can be made again. */
const useOnce = () => {
  const { problem, change } = useChange(reloadInbox);
  const isSent = useSignal(false);
  const once = async (make: () => Promise<unknown>): Promise<void> => {
    if (isSent.peek()) return;
    isSent.value = true;
    isSent.value = await change(make);
  };
  return { problem: problem.value, isSent: isSent.value, once: (make: () => Promise<unknown>) => void once(make) };
};

/** The question of a task of the user's own. */
const TaskCard = ({ item }: { item: WaitingTask }) => {
  const { session_id, task, question, since, expires_at } = item;
  const { problem, isSent, once } = useOnce();
  const send = (body: TurnRequest): void => once(() => sendTurn(session_id, body));
  const open = (): void => navigate(taskHref(session_id, task.id));
  const shown = () => {
    const { approval, tool_question, state, pause_reason, question_about } = task;
    if (approval !== null)
      return (
        <ApprovalCard
          approval={approval}
          since={since}
          expiresAt={expires_at}
          mayDecide={mayDecide(approval)}
          isSent={isSent}
          decide={(decision) => send({ decision: { ...decision, approval: approval.id } })}
        />
      );
    if (tool_question !== undefined) return <ToolQuestionCard asked={tool_question} send={send} />;
    if (state === 'paused' && pause_reason !== null)
      return (
        <PauseCard
          task={task}
          reason={pause_reason}
          report=""
          send={send}
          resume={`/resume ${task.id}`}
          changed={reloadInbox}
        />
      );
    if (question_about === 'confirm_plan')
      return <PlanCard task={task} question={question ?? ''} send={send} change={open} />;
    if (question_about === 'failures')
      return <FailuresCard task={task} question={question ?? ''} send={send} changed={reloadInbox} />;
    return <QuestionCard question={question ?? ''} options={task.question_options ?? []} send={send} />;
  };
  return (
    <>
      {shown()}
      <Refusal error={problem} />
    </>
  );
};

/** An action of another's task, of which nothing else is shown. */
const OthersCard = ({ card }: { card: OthersAction }) => {
  const { problem, isSent, once } = useOnce();
  return (
    <>
      <ApprovalCard
        approval={card}
        since={card.since}
        expiresAt={card.expires_at}
        owner={card.owner}
        mayDecide
        isSent={isSent}
        decide={(decision) =>
          once(() => request(path`/v1/approvals/${card.id}/decision`, { method: 'POST', body: decision }))
        }
      />
      <Refusal error={problem} />
    </>
  );
};

/** The whole card of an item, and the way to its session. */
export const ItemCard = ({ item }: { item: InboxItem }) => {
  const session = sessionOf(item);
  return (
    <div class={styles.shown}>
      {item.of === 'task' ? <TaskCard item={item.item} /> : <OthersCard card={item.card} />}
      {session !== null && item.of === 'task' && (
        <p class={`${styles.from} muted small`}>
          <span class="clipped" dir="auto">
            {item.item.task.goal}
          </span>
          <a href={session}>{texts.value.open}</a>
        </p>
      )}
    </div>
  );
};
