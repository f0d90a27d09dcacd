import type { ApprovalDecision } from '../../contracts/approval.ts';
import type { Language } from '../../contracts/language.ts';
import { messages } from '../../contracts/messages/messages.ts';

/** A decision in the words that a user would have written instead, for people who read the conversation, its progress and its log. */
export const approvalAnswer = (decision: ApprovalDecision, language: Language): string => {
  const { approved, approvedAlways, edited, rejected } = messages(language).questions;
  switch (decision.type) {
    case 'approve':
      return approved;
    case 'approve_always':
      return approvedAlways;
    case 'edit':
      return edited(decision.input);
    case 'reject':
      return decision.reason ?? rejected;
    default:
      return decision satisfies never;
  }
};
