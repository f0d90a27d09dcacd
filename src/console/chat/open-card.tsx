import type { TurnRequest } from '../../../contracts/http.ts';
import type { TaskView, TurnView } from '../../../contracts/turn-view.ts';
import { ApprovalCard } from '../card/approval-card.tsx';
import { FailuresCard, PauseCard } from '../card/pause-card.tsx';
import { PlanCard, QuestionCard } from '../card/question-card.tsx';
import { ToolQuestionCard } from '../card/tool-question-card.tsx';
import { mayDecide, waiting } from '../inbox/waiting.ts';
import { focusComposer } from './composer.tsx';

interface OpenCardProps {
  /** The turn whose question is open, or whose task is paused. */
  turn: TurnView;
  /** The task as it is now, which an edit of its plan changes after the turn. */
  active: TaskView | null;
  send: (body: TurnRequest) => void;
  /** Something changed that no turn says. */
  changed: () => void;
}

/** The open question of a conversation's task. Any other answer is written in the field below it. */
export const OpenCard = ({ turn, active, send, changed }: OpenCardProps) => {
  const { approval, question, options, output, finished_at } = turn;
  const task = active?.id === turn.task_id ? active : turn.task;
  const change = (): void => {
    changed();
    waiting.reload();
  };
  if (approval !== null)
    return (
      <ApprovalCard
        approval={approval}
        since={finished_at ?? undefined}
        mayDecide={mayDecide(approval)}
        decide={(decision) => send({ decision: { ...decision, approval: approval.id } })}
        focusReason={focusComposer}
      />
    );
  const asked = task?.tool_question ?? turn.tool_question;
  if (asked !== undefined) return <ToolQuestionCard key={asked.id} asked={asked} send={send} />;
  if (task?.state === 'paused' && task.pause_reason !== null)
    return <PauseCard task={task} reason={task.pause_reason} report={output ?? ''} send={send} changed={change} />;
  if (task?.question_about === 'confirm_plan')
    return <PlanCard task={task} question={question ?? ''} send={send} change={focusComposer} />;
  if (task?.question_about === 'failures')
    return <FailuresCard task={task} question={question ?? ''} send={send} changed={change} />;
  return <QuestionCard question={question ?? ''} options={options ?? []} send={send} />;
};
