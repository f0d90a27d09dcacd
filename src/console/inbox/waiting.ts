import { computed, effect } from '@preact/signals';
import type { ApprovalCard, WaitingTask } from '../../../contracts/http.ts';
import type { PauseReason } from '../../../contracts/task.ts';
import type { PendingApproval, TaskView } from '../../../contracts/turn-view.ts';
import { createReread } from '../api/request.ts';
import { createResource, poll } from '../api/resource.ts';
import { actionTitle } from '../card/action-title.ts';
import { remembered } from '../state/remembered.ts';
import { HOME, navigate, taskHref } from '../state/route.ts';
import { defineTexts } from '../text/language.ts';

export const texts = defineTexts({
  title: ['Waits for you', '等待你处理'],
  newestFirst: ['newest first', '最新的在前'],
  none: ['Nothing waits for you.', '没有等待你的事项。'],
  noneHint: ['Questions and approvals of all sessions come here.', '所有会话的提问和审批都会出现在这里。'],
  waits: ['wait for you', '项等待你处理'],
  count: ['{0} waiting', '{0} 项等待中'],
  more: ['and more after these', '后面还有更多'],
  open: ['Open the session', '打开会话'],
  approval: ['Approval', '审批'],
  approvalFor: ['Approval for {0}', '{0} 的审批'],
  question: ['Question', '问题'],
  isPaused: ['Paused', '已暂停'],
  plan: ['Plan to confirm', '待确认的计划'],
  failed: ['Failed again and again', '反复失败'],
  toolAsks: ['{0} asks', '{0} 询问'],
  detail: ['{0}: {1}', '{0}：{1}'],
  items: [(count: number) => (count === 1 ? '1 item' : `${count} items`), (count: number) => `${count} 项`],
  options: [(count: number) => (count === 1 ? '1 option' : `${count} options`), (count: number) => `${count} 个选项`],
  notify: ['Notify me', '通知我'],
});

/** Why a task is paused, in the fewest words. */
const pauses = defineTexts<Record<PauseReason, readonly [string, string]>>({
  step_limit: ['all steps are used', '步数已用完'],
  model_unavailable: ['the model gave no answer', '模型没有回答'],
  contract_failure: ['no usable answer', '没有可用的回答'],
  deadlock: ['no item can start', '没有可以开始的计划项'],
  verification_failed: ['the check failed', '检查没有通过'],
  replan_limit: ['replanned too often', '重新规划过多'],
  crash_loop: ['interrupted again and again', '反复中断'],
  machine_changed: ['Tripact was updated', 'Tripact 有更新'],
  budget_exhausted: ['the budget is used up', '预算已用完'],
  question_expired: ['nobody answered in time', '无人按时回答'],
});

/** How often the waiting tasks are polled, in milliseconds. */
const EVERY_MS = 3_000;

/** Most tasks listed: a user with more answers some first. */
const SHOWN_MAX = 100;

const read = createReread<{ tasks: WaitingTask[]; next: string | null }>();

const wasAsked = remembered<'' | 'asked'>('notifications', '');

/** The user may still be asked for notifications: the browser supports them, and nobody has asked. */
export const mayAskForNotifications = computed(
  () => 'Notification' in globalThis && Notification.permission === 'default' && wasAsked.value === '',
);

/** Asks the user for notifications, once in this browser. */
export const askForNotifications = async (): Promise<void> => {
  wasAsked.value = 'asked';
  await Notification.requestPermission();
};

const isNotifying = (): boolean => 'Notification' in globalThis && Notification.permission === 'granted';

/** Everything that waits for the user, over all sessions, longest waiting first. */
export const waiting = createResource((signal) => read('/v1/tasks', { query: { limit: SHOWN_MAX }, signal }));

const readApprovals = createReread<{ approvals: ApprovalCard[]; next: string | null }>();

/** The actions that wait for the user as an approver named by their tool, in anybody's tasks, longest waiting first. */
export const approvals = createResource((signal) =>
  readApprovals('/v1/approvals', { query: { limit: SHOWN_MAX }, signal }),
);

/** The user may decide about an action of a task of theirs: no approver is named, or they are one. */
export const mayDecide = ({ id, approvers }: Pick<PendingApproval, 'id' | 'approvers'>): boolean =>
  approvers === undefined || (approvals.loaded.value.value?.approvals ?? []).some((card) => card.id === id);

/**
 * Keeps the waiting tasks up to date until the returned function is called; in a hidden page only if the user gets
 * notifications.
 */
export const followWaiting = (): (() => void) => {
  const isNeeded = (): boolean => document.visibilityState === 'visible' || isNotifying();
  const ends = [waiting, approvals].map((resource) => {
    resource.reload();
    return poll(resource, EVERY_MS, isNeeded);
  });
  return () => {
    for (const end of ends) end();
  };
};

/** The number of tasks and actions that wait, as far as they are listed. An action of a task of one's own is one. */
export const waitingCount = computed(() => {
  const tasks = waiting.loaded.value.value?.tasks ?? [];
  const own = new Set(tasks.map(({ task }) => task.approval?.id));
  const others = (approvals.loaded.value.value?.approvals ?? []).filter(({ id }) => !own.has(id));
  return tasks.length + others.length;
});

/** A task's question, as far as a row of a list shows it. */
type Asking = Pick<TaskView, 'goal' | 'approval' | 'state' | 'question_about'>;

/** The request in the fewest words: the policy's summary of the action, else its tool; the question; else the goal. */
export const askedOf = (task: Asking, question: string | null): string => {
  const { approval, goal, state, question_about } = task;
  if (approval !== null) return actionTitle(approval);
  const isOwnWords = state !== 'paused' && (question_about === undefined || question_about === 'thought');
  return isOwnWords ? (question ?? goal) : goal;
};

/** Why a task waits, in a word or two. */
export const kindOf = ({ approval, state, question_about, tool_question }: TaskView): string => {
  const { approval: isApproval, isPaused, plan, failed, toolAsks, question } = texts.value;
  if (approval !== null) return isApproval;
  if (state === 'paused') return isPaused;
  if (tool_question !== undefined) return toolAsks(tool_question.server);
  if (question_about === 'confirm_plan') return plan;
  return question_about === 'failures' ? failed : question;
};

/** The same with a line about it: the policy's reason, or how much is asked about. */
export const aboutOf = (task: TaskView): string => {
  const { approval, plan, question_about, question_options, state, pause_reason } = task;
  const { detail, items, options } = texts.value;
  const kind = kindOf(task);
  if (approval !== null) return approval.reason === undefined ? kind : detail(kind, approval.reason);
  if (state === 'paused') return pause_reason === null ? kind : detail(kind, pauses.value[pause_reason]);
  if (question_about === 'confirm_plan') return detail(kind, items(plan.length));
  return question_options === undefined ? kind : detail(kind, options(question_options.length));
};

/** A waiting task, as far as a notification needs it. */
const noted = computed(() => {
  const tasks = waiting.loaded.value.value?.tasks;
  if (tasks === undefined) return null;
  const own = new Set(tasks.map(({ task }) => task.approval?.id));
  const others = (approvals.loaded.value.value?.approvals ?? []).filter(({ id }) => !own.has(id));
  return [
    ...tasks.map(({ session_id, task, question, since }) => ({
      key: `${task.id} ${since}`,
      tag: task.id,
      title: askedOf(task, question),
      body: task.goal,
      href: taskHref(session_id, task.id),
    })),
    ...others.map((card) => ({
      key: card.id,
      tag: card.id,
      title: actionTitle(card),
      body: texts.value.approvalFor(card.owner),
      href: `${HOME}?${new URLSearchParams({ waits: card.id })}`,
    })),
  ];
});

/** The tasks that waited at the last poll; null: not known yet. */
let known: ReadonlySet<string> | null = null;

// Notifies about what waits anew while the page is hidden.
effect(() => {
  if (noted.value === null) return;
  for (const { key, tag, title, body, href } of noted.value)
    if (known !== null && !known.has(key) && document.visibilityState === 'hidden' && isNotifying()) {
      const note = new Notification(title, { body, tag });
      note.onclick = () => {
        window.focus();
        navigate(href);
        note.close();
      };
    }
  known = new Set(noted.value.map(({ key }) => key));
});
