import type { SessionEvent, TaskEvent, TaskOpened } from '../../../contracts/event.ts';
import { type Conversation, isSettled } from '../../../contracts/task.ts';
import { type CallUsage, totalTokens } from '../../../contracts/usage.ts';
import { conversationOf } from '../../../machines/context.ts';
import { open as openTask, type Step, step, type Task } from '../../../machines/step.ts';
import { taskView } from '../../projections/task-view.ts';
import { type Change, type Decision, replyIn, type TaskStep, type TurnAddedAs, type TurnReply } from '../change.ts';
import { machineChanged } from '../fold-task.ts';
import {
  type ActiveTask,
  type LoadedTask,
  type NewTurn,
  NotLoaded,
  openTurn,
  type SessionImage,
  type TaskStatus,
  toolTurns,
} from '../session-image.ts';
import { entryOf, FIRST_BEGIN, type Moved, settledTask, taskMoved, turnsAnswered } from './task-moved.ts';

/** A session while one decision is made: its verbs change the image and record each change. Throws `NotLoaded` where the image lacks what one needs. */
export class SessionDraft {
  #image: SessionImage;
  readonly #now: number;
  readonly #changes: Change[] = [];
  readonly #steps: TaskStep[] = [];

  constructor(image: SessionImage, now: number) {
    this.#image = image;
    this.#now = now;
  }

  get image(): SessionImage {
    return this.#image;
  }

  /** The decision so far. What was loaded for it may be changed by it, and is not kept. Tokens alone make no session: an answer may come after the removal of its own. */
  decision(): Decision {
    const { session, isStored } = this.#image;
    const left: SessionImage = { ...this.#image, loaded: new Map() };
    const isMade = this.#changes.some(({ type }) => isStored || type !== 'usage.added');
    if (!isMade) return { at: this.#now, changes: this.#changes, image: left, steps: [] };
    const changes: Change[] = isStored ? this.#changes : [{ type: 'session.added', session }, ...this.#changes];
    return { at: this.#now, changes, image: { ...left, isStored: true, used_at: this.#now }, steps: this.#steps };
  }

  /** Stores a turn: waiting in the queue, bound to the active task, answered, or waiting for its tool. */
  addTurn(turn: NewTurn, as: TurnAddedAs): void {
    const task_id = as === 'running' ? this.#activeTask().task.context.task_id : null;
    this.#changes.push({ type: 'turn.added', turn, task_id, as });
    const { timezone } = turn;
    const { session, turns } = this.#image;
    const kind = typeof as === 'string' ? 'task' : 'command';
    if (replyIn(as) === null) this.#set({ turns: [...turns, openTurn(turn, kind, task_id, this.#now)] });
    this.#changes.push({ type: 'session.used', timezone: timezone ?? null });
    const used = { updated_at: this.#now, turn_count: session.turn_count + 1 };
    this.#set({ session: { ...session, ...used, ...(timezone !== undefined && { timezone }) } });
  }

  /** Answers a turn whose tool was called. One that was answered already stays as it is. */
  finishToolTurn(turn_id: string, reply: TurnReply): void {
    const turn = toolTurns(this.#image).find((open) => open.turn_id === turn_id);
    if (turn === undefined) return;
    this.#changes.push({ type: 'turn.finished', turn, reply });
    this.#set({ turns: this.#image.turns.filter((open) => open !== turn) });
  }

  /** The turn leaves the queue and is bound to the active task. */
  bindQueued(turn_id: string): void {
    const { task_id } = this.#activeTask().task.context;
    this.#changes.push({ type: 'turn.bound', turn_id, task_id });
    this.#set({ turns: this.#image.turns.map((turn) => (turn.turn_id === turn_id ? { ...turn, task_id } : turn)) });
  }

  /** Opens a task. `made` is what that leads to, where it was folded before. */
  openTask(opened: TaskOpened, made: Step = openTask(opened)): Task {
    const { task_id } = opened;
    const touched_at_seq = this.#image.seq + 1;
    this.#changes.push({ type: 'task.added', task_id, first_seq: touched_at_seq });
    this.#set({ recent: { task_id, state: 'running', touched_at_seq }, active: null });
    return this.#take({ unsnapped: 0, isSnapped: false, ...FIRST_BEGIN }, made, opened);
  }

  /** Answers the turn of a task that asked as it opened, before the turn was bound to it (SPEC 3, confirm_plan without planning). */
  answerIfAsking(): void {
    const task = this.#image.active?.task;
    if (task?.state === 'awaiting_user') this.#keep(turnsAnswered(this.#image, task, taskView(task)));
  }

  /** Makes an earlier task of this session the active one; one whose history this machine folds differently is paused first. */
  activate(taskId: string): void {
    const { task, open, unsnapped, divergence } = this.#loaded(taskId);
    this.#set({ active: { task, unsnapped, isSnapped: true, ...FIRST_BEGIN }, open });
    if (divergence === null) return;
    this.apply(machineChanged(divergence));
    this.reactivate(taskId);
  }

  /** Makes the task that this very draft settled the active one again, to put further events into it. */
  reactivate(taskId: string): void {
    if (this.#image.active !== null) return;
    const task = this.#steps.at(-1)?.task;
    if (task?.context.task_id !== taskId) throw new Error(`the draft settled no task ${taskId}`);
    this.#set({ active: { task, unsnapped: 0, isSnapped: true, ...FIRST_BEGIN } });
  }

  /** A task of this session in its current state; changes nothing. Null: the session has none of that id. */
  taskOf(taskId: string): { task: Task; state: TaskStatus['state'] } | null {
    const { active, recent } = this.#image;
    if (active?.task.context.task_id === taskId) return { task: active.task, state: recent?.state ?? 'running' };
    const loaded = this.#lookUp(taskId);
    return loaded === null ? null : { task: loaded.task, state: loaded.status.state };
  }

  /** The most recently paused task's id, or null. */
  lastPaused(): string | null {
    const { lastPaused } = this.#image;
    if (lastPaused === undefined) throw new NotLoaded({ kind: 'last_paused' });
    return lastPaused;
  }

  /** Puts one event into the active task's machine. `folded` is what it leads to, where it was folded before. Throws `EventNotAccepted`. */
  apply(event: TaskEvent, folded?: Step): Task {
    const active = this.#activeTask();
    const made = folded ?? step(active.task, event);
    if (isSettled(active.task.state) && !isSettled(made.task.state)) this.#resumed(active.task.context.task_id);
    return this.#take(active, made, event);
  }

  /** Puts one event into a settled task beside the active one, which continues undisturbed. */
  applyBeside(taskId: string, event: TaskEvent): void {
    const { task, status, divergence } = this.#loaded(taskId);
    let last = task;
    for (const each of divergence === null ? [event] : [machineChanged(divergence), event]) {
      const made = step(last, each);
      this.#addEntry(made, each);
      last = made.task;
    }
    this.#changes.push(...settledTask(last, this.#image.seq, status.touched_at_seq, true).changes);
    const { recent, lastPaused } = this.#image;
    if (recent?.task_id === taskId) this.#set({ recent: { ...recent, state: last.state } });
    if (lastPaused === taskId && last.state !== 'paused') this.#set({ lastPaused: undefined });
  }

  /** The open effect, which was found when the session was loaded, is about to be performed. */
  beginEffect(): void {
    const { active, open } = this.#image;
    if (active === null || open === null || active.isBegun) return;
    const begins = active.begins + 1;
    this.#changes.push({ type: 'effect.begun', task_id: active.task.context.task_id, effect: open.effect, begins });
    this.#set({ active: { ...active, begins, isBegun: true } });
  }

  /** A model call was made for this session, whatever comes of its answer. */
  addUsage(usage: CallUsage | undefined): void {
    if (usage !== undefined && totalTokens(usage) > 0) this.#changes.push({ type: 'usage.added', usage });
  }

  /** An event of the session itself, which no machine sees. */
  addSessionEvent(event: SessionEvent): void {
    this.#addEntry(null, event);
  }

  /** The forked session's tasks go on from this conversation; its first entry keeps it, and what is answered here follows it. */
  startConversation(forked: Extract<SessionEvent, { type: 'session.forked' }>, conversation: Conversation): void {
    const at = this.#changes.findIndex((change) => change.type === 'entry.added' && change.event === forked);
    const entry = this.#changes[at];
    if (entry?.type !== 'entry.added') throw new Error('the session has no entry that says where it comes from');
    if (conversation.length > 0) this.#changes[at] = { ...entry, event: { ...forked, conversation } };
    this.#set({
      session: { ...this.#image.session, is_fork: true },
      conversation: conversationOf([...conversation, ...this.#image.conversation]),
    });
  }

  /** The session is used, and so made where it is new, without a turn. */
  useSession(): void {
    this.#changes.push({ type: 'session.used', timezone: null });
    this.#set({ session: { ...this.#image.session, updated_at: this.#now } });
  }

  removeSession(): void {
    this.#changes.push({ type: 'session.removed' });
  }

  #set(change: Partial<SessionImage>): void {
    this.#image = { ...this.#image, ...change };
  }

  #keep({ image, changes }: Moved): void {
    this.#image = image;
    this.#changes.push(...changes);
  }

  #activeTask(): ActiveTask {
    const { active } = this.#image;
    if (active === null) throw new Error('the session has no active task');
    return active;
  }

  #lookUp(task_id: string): LoadedTask | null {
    const found = this.#image.loaded.get(task_id);
    if (found === undefined) throw new NotLoaded({ kind: 'task', task_id });
    return found;
  }

  #loaded(taskId: string): LoadedTask {
    const loaded = this.#lookUp(taskId);
    if (loaded === null) throw new Error(`no task ${taskId} in this session`);
    return loaded;
  }

  #addEntry(made: Step | null, event: TaskEvent | SessionEvent): void {
    this.#set({ seq: this.#image.seq + 1 });
    this.#changes.push(entryOf(this.#image.seq, made, event));
  }

  #resumed(task_id: string): void {
    const touched_at_seq = this.#image.seq + 1;
    this.#changes.push({ type: 'task.moved', task_id, state: 'running', touched_at_seq, view: null, question: null });
    this.#set({ recent: { task_id, state: 'running', touched_at_seq } });
    if (this.#image.lastPaused === task_id) this.#set({ lastPaused: undefined });
  }

  #take(before: Omit<ActiveTask, 'task'>, made: Step, event: TaskEvent | TaskOpened): Task {
    this.#keep(taskMoved(this.#image, before, made, event));
    this.#steps.push({ event, task: made.task });
    return made.task;
  }
}
