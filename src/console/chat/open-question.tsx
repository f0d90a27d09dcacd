import type { TurnRequest } from '../../../contracts/http.ts';
import type { TurnView } from '../../../contracts/turn-view.ts';
import { ApprovalForm } from './approval-form.tsx';
import { QuestionForm } from './question-form.tsx';

/** A turn's open question with its options, or whether a tool may run. */
export const OpenQuestion = ({ turn, send }: { turn: TurnView; send: (body: TurnRequest) => void }) =>
  turn.approval === null ? (
    <QuestionForm turn={turn} send={send} />
  ) : (
    <ApprovalForm key={turn.id} approval={turn.approval} turn={turn.id} send={send} />
  );
