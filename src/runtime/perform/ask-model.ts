import { isDeepStrictEqual } from 'node:util';
import { costOfDay, nextMidnight } from '../../../contracts/access.ts';
import type { AnswerContract } from '../../../contracts/calls.ts';
import type { Effect, TaskEvent } from '../../../contracts/event.ts';
import { effectId } from '../../../contracts/ids.ts';
import { RESPONSE_CHARS_MAX } from '../../../contracts/limits.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import { cutText } from '../../../contracts/text.ts';
import {
  type CallUsage,
  costOfCall,
  isAtLeast,
  MODEL_NAME_CHARS_MAX,
  saidUsage,
  totalTokens,
  type UsageDay,
} from '../../../contracts/usage.ts';
import { hasPolicy, isJudged } from '../../../machines/approvals.ts';
import { narrowed } from '../../../machines/context.ts';
import { dueBy, isModelEffect, type ModelEffect } from '../../../machines/model-effects.ts';
import { isModelEvent } from '../../../machines/pending-calls.ts';
import { mayConclude } from '../../../machines/plan-items.ts';
import { unseenWith } from '../../../machines/unseen-files.ts';
import { type ModelReply, ModelUnavailable } from '../../models/port.ts';
import { readMessage, takePendingCall } from '../../models/reply/read-message.ts';
import { createResponseReader } from '../../models/reply/response-reader.ts';
import { replyStart } from '../../projections/reply.ts';
import { askPolicy } from './ask-policy.ts';
import { foundTool } from './call-tool.ts';
import { checkInput } from './check-input.ts';
import type { AgentParts, AnswerSink, EffectContext, EffectDeps } from './effect-deps.ts';
import { createFilesToShow } from './show-files.ts';

/**
 * A call's tokens with their model and cost. A call without usage only names a model that differs from the asked one.
 */
const attributed = ({ model, prices }: EffectDeps, reply: ModelReply): CallUsage => {
  // The usage from a model made in code may be anything.
  const usage = saidUsage(reply.usage);
  const name = cutText(reply.model ?? model.name, MODEL_NAME_CHARS_MAX);
  if (usage.is_unknown) return { ...usage, model: name };
  if (totalTokens(usage) === 0) return reply.model === undefined ? usage : { ...usage, model: name };
  const cost = prices === null ? null : costOfCall(prices, name, usage);
  return { ...usage, model: name, ...(cost !== null && { cost }) };
};

/** Why a number of tokens a day forbids another call; null: it does not. */
const tokenProblem = (limit: number, today: UsageDay, at: number, task: TaskContext): string | null => {
  const notes = messages(task.language).taskNotes;
  if (!task.is_usage_known) return notes.tokenQuotaUnknown(limit);
  const used = totalTokens(today.usage);
  return used < limit ? null : notes.tokenQuota(used, limit, nextMidnight(at));
};

/** Why an amount of money a day forbids another call; null: it does not. */
const costProblem = (
  limit: string,
  today: UsageDay,
  at: number,
  currency: string | null,
  { language }: TaskContext,
): string | null => {
  const notes = messages(language).taskNotes;
  const spent = costOfDay(today, currency);
  if (currency === null || spent === null) return notes.costQuotaUnknown(limit, currency);
  return isAtLeast(spent, limit) ? notes.costQuota(spent, limit, currency, nextMidnight(at)) : null;
};

/**
 * Why an owner's quota forbids a model call today (SPEC 6), by today's tokens and money without calls in progress; null:
 * it does not.
 */
const quotaProblem = async (
  { access, now, prices }: EffectDeps,
  owner: string,
  task: TaskContext,
): Promise<string | null> => {
  const { tokens_per_day: tokens = null, cost_per_day: money = null } = (await access.quotas.of(owner)) ?? {};
  if (tokens === null && money === null) return null;
  const at = now();
  const today = await access.usedOn(owner, at);
  const problem = tokens === null ? null : tokenProblem(tokens, today, at, task);
  if (problem !== null || money === null) return problem;
  return costProblem(money, today, at, prices?.currency ?? null, task);
};

/**
 * The task for a plan or replan, with the currently available tools. Right after a start it waits for their servers.
 */
const withToolsNow = async (
  { tools }: AgentParts,
  toolsTried: EffectDeps['toolsTried'],
  task: TaskContext,
  signal: AbortSignal,
): Promise<TaskContext> => {
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  await Promise.race([toolsTried, stopped]);
  const catalogue = narrowed(tools.catalogue(), task.tools);
  return isDeepStrictEqual(catalogue, task.catalogue) ? task : { ...task, catalogue };
};

/**
 * A thought with its action judged before it is stored: with the tool's refusal of the input, or else the policy's
 * verdict (SPEC 3, approval).
 */
const judged = async (
  deps: EffectDeps,
  { owner, session_id, timezone, task }: EffectContext,
  event: TaskEvent,
): Promise<TaskEvent> => {
  if (event.type !== 'thought.made' || event.next_action === null) return event;
  const { tool: name, input } = event.next_action;
  const tool = isJudged(task, name) ? await foundTool(deps, task, name) : undefined;
  if (tool === undefined) return event;
  const { language, metadata, goal, exposed } = task;
  const call = { owner, session_id, timezone, language, metadata, now: deps.now() };
  const refusal = await checkInput(tool, input, call);
  if (refusal !== null) return { ...event, refusal };
  const approval = hasPolicy(task, name) ? await askPolicy(deps.log, tool, input, { ...call, goal, exposed }) : null;
  return approval === null ? event : { ...event, approval };
};

/** A model's answer with the files that it could not look at. */
const toldUnseen = (event: TaskEvent, unseen: string[]): TaskEvent =>
  unseen.length === 0 || !isModelEvent(event) ? event : { ...event, unseen };

/** A task as it will be behind such an answer, for the beginning of its reply. */
const withUnseen = (task: TaskContext, unseen: string[]): TaskContext =>
  unseen.length === 0 ? task : { ...task, unseen_files: unseenWith(task.unseen_files, unseen) };

/** The response that would end the task, as in the accepted event; null: none. */
const endingResponse = (event: TaskEvent | null): string | null => {
  if (event === null || 'reason' in event || !('reader' in event)) return null;
  const first = event.message?.calls[0];
  if (first?.name === 'finish') return String(first.input['response']);
  return event.type !== 'plan.made' && event.status === 'done' ? event.response : null;
};

/**
 * Reads an answer that may end the task while it arrives, for those who watch: as text only then, and as the arguments
 * of `finish` at any time.
 */
const liveReader = (taskNow: () => TaskContext, contract: AnswerContract, sink: AnswerSink | null) => {
  if (sink === null) return null;
  const mayEndByText = contract === 'replan' || (contract === 'thought' && mayConclude(taskNow()));
  const begin = () => {
    let left = RESPONSE_CHARS_MAX;
    const give = (text: string): void => {
      if (left === RESPONSE_CHARS_MAX) sink.add(replyStart(taskNow()));
      if (left > 0) sink.add(text.slice(0, left));
      left -= text.length;
    };
    return { text: createResponseReader(give), finish: createResponseReader(give, 'done') };
  };
  let read = begin();
  return {
    onText: (piece: string | null, of: 'text' | 'finish' = 'text'): void => {
      if (piece !== null) {
        if (of === 'finish' || mayEndByText) read[of](piece);
        return;
      }
      sink.retract();
      read = begin();
    },
    /** The complete answer counts. If it differs from what was shown, that is retracted. */
    end: (event: TaskEvent | null): void => {
      const response = endingResponse(event);
      if (response === null || !(replyStart(taskNow()) + response).startsWith(sink.text())) sink.retract();
    },
  };
};

/** The answer to an effect from the pending calls of the model's last message, without another call. Null: none. */
export const answerInPendingCalls = (
  { model }: Pick<EffectDeps, 'model'>,
  effect: Effect,
  task: TaskContext,
): TaskEvent | null => {
  if (!isModelEffect(effect)) return null;
  const { contract, item_id } = dueBy(effect);
  return takePendingCall(contract, task, effect.effect, model.nameFor?.({ contract, task, item_id }));
};

/** The outcome of a call for an agent that the configuration has no more: its task pauses until it is back. */
const agentGone = (effect: number, { agent = '', language }: TaskContext): TaskEvent => ({
  type: 'model.unavailable',
  effect,
  reason: messages(language).taskNotes.agentGone(agent),
});

/**
 * Asks the model for one contract. Whatever it answers, or its silence, is an event. Rejects when `signal` aborts, or
 * the store cannot give the quota.
 */
export const askModel = async (deps: EffectDeps, asked: ModelEffect, context: EffectContext): Promise<TaskEvent> => {
  const { owner, task: before, timezone, answer, signal } = context;
  const { effect } = asked;
  const { contract, item_id } = dueBy(asked);
  const effect_id = effectId(before.task_id, effect);
  // An action that needs approval, and a fork in the middle of a chain.
  const pending = answerInPendingCalls(deps, asked, before);
  if (pending !== null) return judged(deps, context, pending);
  const agent = deps.agentOf(before);
  if (agent === undefined) return agentGone(effect, before);
  const task = asked.type === 'model.thought' ? before : await withToolsNow(agent, deps.toolsTried, before, signal);
  const exhausted = await quotaProblem(deps, owner, task);
  if (exhausted !== null) return { type: 'quota.exhausted', effect, reason: exhausted };
  const shown = createFilesToShow(deps.storedFiles, context, task);
  const live = liveReader(() => withUnseen(task, shown.unseen()), contract, answer);
  let read: TaskEvent | null = null;
  try {
    const reply = await deps.model.answer(
      {
        contract,
        effect_id,
        task,
        item_id,
        may: asked.type === 'model.thought' ? asked.params.may : [],
        tools: agent.tools.usage(task.catalogue.tools.map(({ name }) => name)),
        executors: agent.tools.executors,
        skills: agent.skills(task.catalogue),
        instructions: agent.instructions,
        now: deps.now(),
        timezone,
        ...(shown.files !== undefined && { files: shown.files }),
        ...(live !== null && { onText: live.onText }),
      },
      signal,
    );
    const counted = { ...reply, usage: attributed(deps, reply) };
    const event = readMessage(contract, task, effect, counted, deps.model.nameFor?.({ contract, task, item_id }));
    read = event;
    const told = toldUnseen(event, shown.unseen());
    const isMade = told.type === 'plan.made' || told.type === 'replan.made';
    return isMade && task !== before ? { ...told, catalogue: task.catalogue } : await judged(deps, context, told);
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof ModelUnavailable) {
      deps.log.error({ task_id: task.task_id, effect_id, reason: error.message }, 'the model gave no answer');
      return { type: 'model.unavailable', effect, reason: error.message };
    }
    deps.log.error({ err: error, task_id: task.task_id, effect_id }, 'the model adapter failed');
    return { type: 'model.unavailable', effect, reason: messages(task.language).toolCalls.modelAdapterFailed };
  } finally {
    live?.end(read);
  }
};
