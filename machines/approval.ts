import type { ApprovalDecision } from '../contracts/approval.ts';
import type { EventOf } from '../contracts/event.ts';
import type { TaskContext } from '../contracts/task.ts';
import type { NextAction } from '../contracts/thought.ts';
import { phraseGrammar, YES } from './phrases.ts';
import { chosenOption } from './questions.ts';

/** True for a tool that may run only after a person's yes, where the task has no lasting one for it (SPEC 3, approval). */
export const needsApproval = ({ catalogue, approved_tools }: TaskContext, tool: string): boolean =>
  !approved_tools.includes(tool) && catalogue.tools.some(({ name, approval }) => name === tool && approval === true);

/** The action that waits for a person's yes; null where none does. */
export const pendingAction = ({ awaiting, last_thought_snapshot }: TaskContext): NextAction | null =>
  awaiting === 'approval' ? (last_thought_snapshot?.next_action ?? null) : null;

/** What an answer by words decides about the pending action: whatever is no whole yes is a rejection with these words as its reason. */
const decisionByWords = ({ question_options }: TaskContext, text: string): ApprovalDecision => {
  const said = chosenOption(question_options, text);
  if (isLastingApproval(said)) return { type: 'approve_always' };
  return isApproval(said) ? { type: 'approve' } : { type: 'reject', reason: said };
};

/** What the user decided about the pending action, by words or otherwise. */
export const decisionOf = (
  context: TaskContext,
  event: EventOf<'answer.received'> | EventOf<'decision.received'>,
): ApprovalDecision => (event.type === 'decision.received' ? event.decision : decisionByWords(context, event.text));

/** What lets an action run. */
const APPROVE = [
  ...YES,
  ..."yep|yeah|approve|approved|approve it|allow|allowed|allow it|allow this|accept|permit|run|run it|go|go for it|that is fine|that's fine|fine".split(
    '|',
  ),
  ...'批准|允许|准许|运行|通过|可以的|行的|对的|没问题的|做|去做'.split('|'),
];

/** What makes a yes last for the task. */
const ALWAYS = [...'always|yes to all'.split('|'), ...'总是|始终|一直|以后都|每次都|一律'.split('|')];

/** What makes it last only beside a yes: alone it may as well be a no. */
const ASK_NO_MORE = [
  ..."don't ask again|and don't ask again|do not ask again|and do not ask again".split('|'),
  ...'不用再问|不用再问了|别再问|别再问了|不要再问|不要再问了|不再询问|以后不用再问|以后别再问'.split('|'),
];

/** What may stand around it, and says nothing more. */
const FILLERS = [
  ...'please|just|now|then|it|this|thanks|thank you|with it'.split('|'),
  ...'请|麻烦|那|那就|就|吧|啊|呀|的|一下|它|谢谢'.split('|'),
];

const approves = phraseGrammar(APPROVE, FILLERS);
const approvesForTask = phraseGrammar(
  [...ALWAYS, ...APPROVE.flatMap((yes) => ASK_NO_MORE.map((more) => `${yes} ${more}`))],
  [...FILLERS, ...APPROVE],
);

/** True for a question back, which is never a yes. */
const isQuestion = (text: string): boolean => /[?？]/.test(text);

/** True for a whole answer that lets the pending action run (SPEC 3, approval); never for a part of one. */
export const isApproval = (text: string): boolean => !isQuestion(text) && approves(text);

/** True for a whole answer that lets it run, and the same tool for the rest of the task. */
export const isLastingApproval = (text: string): boolean => !isQuestion(text) && approvesForTask(text);
