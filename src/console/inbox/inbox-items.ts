import { computed } from '@preact/signals';
import type { ApprovalCard, WaitingTask } from '../../../contracts/http.ts';
import { actionTitle } from '../card/action-title.ts';
import { HOME, query, taskHref } from '../state/route.ts';
import { aboutOf, approvals, askedOf, texts, waiting } from './waiting.ts';

/** One thing that waits: a task of the user, or an action of another's task that they may decide about. */
export type InboxItem = {
  /** Its name in the address. */
  key: string;
  title: string;
  kind: string;
  since: string;
} & ({ of: 'task'; item: WaitingTask } | { of: 'approval'; card: ApprovalCard });

const ofTask = (item: WaitingTask): InboxItem => ({
  of: 'task',
  item,
  key: item.task.id,
  title: askedOf(item.task, item.question),
  kind: aboutOf(item.task),
  since: item.since,
});

const ofApproval = (card: ApprovalCard): InboxItem => ({
  of: 'approval',
  card,
  key: card.id,
  title: actionTitle(card),
  kind: texts.value.approvalFor(card.owner),
  since: card.since,
});

/** Everything that waits for the user, newest first: tasks of their own, and actions of others. */
export const inboxItems = computed((): InboxItem[] => {
  const tasks = waiting.loaded.value.value?.tasks ?? [];
  const own = new Set(tasks.map(({ task }) => task.approval?.id));
  const cards = (approvals.loaded.value.value?.approvals ?? []).filter(({ id }) => !own.has(id));
  const items = [...tasks.map(ofTask), ...cards.map(ofApproval)];
  return items.sort((one, other) => other.since.localeCompare(one.since));
});

/** The item whose card is shown, by `?waits=`; null: none is named. */
export const namedItem = computed(() => query.value.get('waits'));

/** The address of an item's card on the home page. */
export const itemHref = ({ key }: InboxItem): string => `${HOME}?${new URLSearchParams({ waits: key })}`;

/** The address of the session in which an item waits; null: it is another's. */
export const sessionOf = (item: InboxItem): string | null =>
  item.of === 'task' ? taskHref(item.item.session_id, item.item.task.id) : null;
