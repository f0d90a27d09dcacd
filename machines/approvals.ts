import type { NextAction, StoredThought } from '../contracts/answer.ts';
import type { Approvers, NamedApprovers } from '../contracts/approver.ts';
import { messages } from '../contracts/messages/messages.ts';
import type { Catalogue, CatalogueApproval, Observation, TaskContext } from '../contracts/task.ts';

/** The part of a thought that approval depends on. */
type Judged = Pick<StoredThought, 'next_action' | 'refusal' | 'approval'>;

const approvalOf = ({ catalogue }: TaskContext, tool: string): CatalogueApproval =>
  catalogue.tools.find(({ name }) => name === tool)?.approval ?? false;

/** True for a tool whose policy judges each call, even after a person has said "always". */
export const hasPolicy = (context: TaskContext, tool: string): boolean => approvalOf(context, tool) === 'policy';

/** True for a tool whose calls a person has to approve, for any input. */
const asksAlways = (context: TaskContext, tool: string): boolean => {
  const approval = approvalOf(context, tool);
  return approval === true || (approval === 'after_untrusted' && context.exposed !== null);
};

/**
 * True for a tool whose input is checked before its thought is stored: a policy judges it, or a person will see it
 * (SPEC 3, approval).
 */
export const isJudged = (context: TaskContext, tool: string): boolean =>
  hasPolicy(context, tool) || (asksAlways(context, tool) && !context.approved_tools.includes(tool));

/**
 * True for an action that may run only after a person's yes (SPEC 3, approval). A policy without a verdict asks. A
 * lasting yes of a person stands above a policy that asks.
 */
export const needsApproval = (context: TaskContext, { next_action, refusal, approval }: Judged): boolean => {
  if (next_action === null || refusal !== undefined || approval?.verdict === 'deny') return false;
  const { tool } = next_action;
  if (context.approved_tools.includes(tool)) return false;
  return hasPolicy(context, tool) ? approval?.verdict !== 'run' : asksAlways(context, tool);
};

/** Why a person is asked about the action of a thought that waits; undefined: each call of its tool is asked about. */
export const approvalReason = (context: TaskContext, { next_action, approval }: Judged): string | undefined => {
  if (approval?.reason !== undefined) return approval.reason;
  const isGuarded = next_action !== null && approvalOf(context, next_action.tool) === 'after_untrusted';
  return isGuarded && context.exposed !== null
    ? messages(context.language).questions.exposed(context.exposed)
    : undefined;
};

/**
 * The result of an action that does not run because its tool refuses the input or its policy denies it; undefined: it
 * may run.
 */
export const refusalOf = ({ language }: TaskContext, thought: Judged | null): string | undefined => {
  if (thought === null || thought.next_action === null) return undefined;
  const { next_action, refusal, approval } = thought;
  if (refusal !== undefined || approval?.verdict !== 'deny') return refusal;
  return messages(language).toolCalls.denied(next_action.tool, approval.reason);
};

/** The first tool of these observations whose results come from outside; `exposed`, where the task had one before. */
export const exposedBy = (
  exposed: string | null,
  { tools }: Catalogue,
  observations: readonly Observation[],
): string | null => {
  if (exposed !== null) return exposed;
  const untrusted = tools.filter(({ source }) => source === 'untrusted').map(({ name }) => name);
  return observations.find(({ tool }) => untrusted.includes(tool))?.tool ?? null;
};

/** `exposed` of a task after the results of its open actions. A refused call brought nothing. */
export const exposedAfter = (context: TaskContext, made: readonly Observation[]): string | null =>
  refusalOf(context, context.last_thought_snapshot) === undefined
    ? exposedBy(context.exposed, context.catalogue, made)
    : context.exposed;

/** Who may decide about the actions of a tool. */
export const approversOf = ({ catalogue }: TaskContext, tool: string): Approvers => {
  const { approvers, self } = catalogue.tools.find(({ name }) => name === tool) ?? {};
  return { approvers, self };
};

/** The action that waits for a person's yes; null: none waits. */
export const pendingAction = ({ awaiting, last_thought_snapshot }: TaskContext): NextAction | null =>
  awaiting === 'approval' ? (last_thought_snapshot?.next_action ?? null) : null;

/** Who may decide about the action that waits; null where none waits, or its task's owner decides. */
export const pendingApprovers = (context: TaskContext): NamedApprovers | null => {
  const action = pendingAction(context);
  const { approvers, self } = action === null ? {} : approversOf(context, action.tool);
  return approvers === undefined ? null : { approvers, self };
};
