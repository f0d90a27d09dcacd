import { hash } from 'node:crypto';
import type { Effect, SessionEvent, TaskEvent, TaskOpened } from '../../../contracts/event.ts';
import { isEnded, isSettled } from '../../../contracts/task.ts';
import { TRACE_VERSION } from '../../../contracts/trace.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { type CallUsage, totalTokens } from '../../../contracts/usage.ts';
import { pendingApprovers } from '../../../machines/approvals.ts';
import { conversationOf } from '../../../machines/context.ts';
import { open as openTask, type Step, step, type Task } from '../../../machines/step.ts';
import { MACHINE } from '../../../machines/task-machine.ts';
import { chainOf, entryText } from '../../history/chain.ts';
import { machineChanged } from '../../history/divergence.ts';
import { iso } from '../../lib/iso-time.ts';
import { replyOf } from '../../projections/reply.ts';
import { taskView } from '../../projections/task-view.ts';
import type { ActHashes, Change, Decision, ToolCalls, Transition, TurnAddedAs, TurnReply } from '../change.ts';
import {
  type ActiveTask,
  type LoadedTask,
  type NewTurn,
  NotLoaded,
  type OpenTurn,
  optionsOf,
  type SessionImage,
  type TaskStatus,
  toolTurns,
} from '../image.ts';
import type { Fork } from '../input.ts';

/** Events between two snapshots of a running task: the most that loading has to fold. */
const SNAPSHOT_EVERY = 50;

const sha256 = (text: string): string => hash('sha256', text);

/** An effect that this process itself asked for. */
const FIRST_BEGIN = { isRetryAfterCrash: false, begins: 1, isBegun: true };

/**
 * A session while one decision is made: its methods change the image and record each change. Throws `NotLoaded` if the
 * image lacks something.
 */
export class SessionDraft {
  #image: SessionImage;
  readonly #now: number;
  readonly #changes: Change[];
  readonly #transitions: Transition[] = [];

  constructor(image: SessionImage, now: number, changes: readonly Change[] = []) {
    this.#image = image;
    this.#now = now;
    this.#changes = [...changes];
  }

  get image(): SessionImage {
    return this.#image;
  }

  /**
   * The decision so far. Tasks loaded for it may have changed and are not kept. Token usage alone creates no session:
   * an answer may arrive after its session was removed.
   */
  decision(): Decision {
    const { session, isStored } = this.#image;
    const left: SessionImage = { ...this.#image, loaded: new Map() };
    const isMade = this.#changes.some(({ type }) => isStored || type !== 'usage.added');
    if (!isMade) return { at: this.#now, changes: this.#changes, image: left, transitions: [] };
    const changes: Change[] = isStored ? this.#changes : [{ type: 'session.added', session }, ...this.#changes];
    return {
      at: this.#now,
      changes,
      image: { ...left, isStored: true, used_at: this.#now },
      transitions: this.#transitions,
    };
  }

  /** Stores a turn: in the queue, bound to the active task, answered, or waiting for its tool. */
  addTurn(sent: NewTurn, as: TurnAddedAs): void {
    const { turn_id, input, callback_url, timezone } = sent;
    const kind = typeof as !== 'string' ? 'command' : sent.isGoal ? 'goal' : 'task';
    const task_id = as === 'running' ? this.#activeTask().task.context.task_id : null;
    const options = optionsOf(sent);
    const turn: OpenTurn = { turn_id, task_id, kind, input, options, callback_url, created_at: this.#now };
    const run = typeof as !== 'string' && 'tool' in as ? as : null;
    const reply = typeof as === 'string' || 'tool' in as ? null : as;
    const status = typeof as === 'string' ? as : (reply?.status ?? 'running');
    this.#changes.push({ type: 'turn.added', turn, sent, status, reply, run });
    const { session, turns } = this.#image;
    if (reply === null) this.#set({ turns: [...turns, turn] });
    this.#changes.push({ type: 'session.used', timezone: timezone ?? null });
    const used = { updated_at: this.#now, turn_count: session.turn_count + 1 };
    this.#set({ session: { ...session, ...used, ...(timezone !== undefined && { timezone }) } });
  }

  /** Answers a turn whose tool was called. Does nothing if it is already answered. */
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

  /** From now on this agent works in the session. */
  chooseAgent(agent: string): void {
    if (this.#image.session.agent === agent) return;
    this.#changes.push({ type: 'agent.chosen', agent });
    this.#set({ session: { ...this.#image.session, agent } });
  }

  /** Opens a task; its agent is the session's from then on. */
  openTask(opened: TaskOpened): Task {
    const { task_id, agent } = opened;
    if (agent !== undefined) this.chooseAgent(agent);
    this.#addTask(task_id);
    const before = { task: null, unsnapped: 0, isSnapped: false, chain: null, ...FIRST_BEGIN };
    return this.#take(before, openTask(opened), opened);
  }

  /** Begins the session as a fork of another one. */
  beginFork(forked: Fork['forked']): void {
    this.addSessionEvent(forked);
    const session = { ...this.#image.session, is_fork: true };
    this.#set({ session, conversation: forked.conversation ?? [] });
  }

  /** Copies the history of another session's task, which becomes the active one in the state that it ended in. */
  copyTask(history: Fork['history']): void {
    const { task } = history.at(-1)!.made;
    const { task_id, open_effect, agent } = task.context;
    if (agent !== undefined) this.chooseAgent(agent);
    this.#addTask(task_id);
    let chain: string | null = null;
    for (const { event, made } of history) chain = this.#addEntry(made, event, chain);
    const open = history.flatMap(({ made }) => made.effects).findLast(({ effect }) => effect === open_effect);
    const active = { task, unsnapped: history.length, isSnapped: false, chain, ...FIRST_BEGIN };
    this.#set({ active, open: open ?? null });
  }

  /**
   * Answers the turn of a task that asked a question as it opened, before the turn was bound to it (SPEC 3,
   * confirm_plan without planning).
   */
  answerIfAsking(): void {
    const task = this.#image.active?.task;
    if (task?.state === 'awaiting_user') this.#answerTurns(task, taskView(task));
  }

  /**
   * Makes an earlier task of this session the active one. If this machine folds its history differently, pauses it
   * first.
   */
  activate(taskId: string): void {
    const { task, open, unsnapped, divergence, chain } = this.#loaded(taskId);
    const active = { task, unsnapped, isSnapped: true, chain, ...FIRST_BEGIN };
    this.#set({ active, open });
    if (divergence === null) return;
    const paused = this.apply(machineChanged(divergence));
    this.#set({ active: { ...active, task: paused, unsnapped: 0, chain: this.#lastChain() } });
  }

  /** A task of this session in its current state. Changes nothing. Null: the session has no task with that id. */
  taskOf(taskId: string): { task: Task; state: TaskStatus['state'] } | null {
    const { active, recent } = this.#image;
    if (active?.task.context.task_id === taskId) return { task: active.task, state: recent?.state ?? 'running' };
    const loaded = this.#lookUp(taskId);
    return loaded === null ? null : { task: loaded.task, state: loaded.status.state };
  }

  lastPaused(): string | null {
    const { lastPaused } = this.#image;
    if (lastPaused === undefined) throw new NotLoaded({ kind: 'last_paused' });
    return lastPaused;
  }

  /** Applies one event to the active task. Throws `EventNotAccepted`. */
  apply(event: TaskEvent): Task {
    const active = this.#activeTask();
    const made = step(active.task, event);
    if (isSettled(active.task.state) && !isSettled(made.task.state)) this.#resumed(active.task.context.task_id);
    return this.#take(active, made, event);
  }

  /** Applies one event to a settled task other than the active one, which continues undisturbed. */
  applyBeside(taskId: string, event: TaskEvent): void {
    const { task, status, divergence, chain: before } = this.#loaded(taskId);
    let last = task;
    let chain = before;
    for (const each of divergence === null ? [event] : [machineChanged(divergence), event]) {
      const made = step(last, each);
      chain = this.#addEntry(made, each, chain);
      this.#askApprovers(last, made.task);
      last = made.task;
    }
    this.#storeSettled(last, status.touched_at_seq, true);
    const { recent, lastPaused } = this.#image;
    if (recent?.task_id === taskId) this.#set({ recent: { ...recent, state: last.state } });
    if (lastPaused === taskId && last.state !== 'paused') this.#set({ lastPaused: undefined });
  }

  /** The open effect, found when the session was loaded, is about to be performed. */
  beginEffect(): void {
    const { active, open } = this.#image;
    if (active === null || open === null || active.isBegun) return;
    const begins = active.begins + 1;
    this.#changes.push({ type: 'effect.begun', task_id: active.task.context.task_id, effect: open.effect, begins });
    this.#set({ active: { ...active, begins, isBegun: true } });
  }

  /** The open effect was not begun, and is left to another process. */
  leaveEffect(): void {
    const { active, open } = this.#image;
    if (active === null || open === null) return;
    this.#changes.push({ type: 'effect.begun', task_id: active.task.context.task_id, effect: open.effect, begins: 0 });
    this.#set({ active: { ...active, begins: 0, isBegun: false } });
  }

  /** A model call was made for this session, whatever becomes of its answer; `tool` is what it asked for, null: no tool. */
  addUsage(usage: CallUsage | undefined, tool: string | null): void {
    if (usage?.is_unknown || (usage !== undefined && totalTokens(usage) > 0))
      this.#changes.push({ type: 'usage.added', usage, tool });
  }

  /** Tools were called for this session. */
  addToolCalls(calls: readonly ToolCalls[]): void {
    if (calls.length > 0) this.#changes.push({ type: 'tools.called', calls });
  }

  /** An event of the session itself, which no machine sees. */
  addSessionEvent(event: SessionEvent): void {
    this.#set({ chain: this.#addEntry(null, event, this.#image.chain) });
  }

  /** Uses the session without a turn, creating it if it is new. */
  useSession(): void {
    this.#changes.push({ type: 'session.used', timezone: null });
    this.#set({ session: { ...this.#image.session, updated_at: this.#now } });
  }

  removeSession(hashes: ActHashes | null): void {
    this.#changes.push({ type: 'session.removed', hashes });
  }

  #set(change: Partial<SessionImage>): void {
    this.#image = { ...this.#image, ...change };
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

  #addTask(task_id: string): void {
    const touched_at_seq = this.#image.seq + 1;
    this.#changes.push({ type: 'task.added', task_id, first_seq: touched_at_seq });
    this.#set({ recent: { task_id, state: 'running', touched_at_seq }, active: null });
  }

  /**
   * Returns the chain of the entry. `made` is the event's step, null for an event of the session itself; `before` is
   * the previous chain.
   */
  #addEntry(made: Step | null, event: TaskEvent | TaskOpened | SessionEvent, before: string | null): string {
    const seq = this.#image.seq + 1;
    const { state = null, context } = made?.task ?? {};
    const { task_id = null, step_count = null } = context ?? {};
    const effects = made?.effects ?? [];
    const texts = { event: JSON.stringify(event), effects: JSON.stringify(effects) };
    const text = entryText({
      v: TRACE_VERSION,
      seq,
      at: iso(this.#now),
      session_id: this.#image.session.session_id,
      task_id,
      machine: MACHINE,
      state,
      step_count,
      ...texts,
    });
    const chain = chainOf(sha256, before, text);
    this.#set({ seq });
    this.#changes.push({ type: 'entry.added', seq, task_id, state, step_count, event, effects, texts, chain });
    return chain;
  }

  /** The chain of the entry that was added last. */
  #lastChain(): string | null {
    return this.#changes.findLast((change) => change.type === 'entry.added')?.chain ?? null;
  }

  #resumed(task_id: string): void {
    const recent = { task_id, state: 'running', touched_at_seq: this.#image.seq + 1 } as const;
    this.#changes.push({ type: 'task.moved', ...recent, view: null, question: null, expires_at: null });
    this.#set({ recent });
    if (this.#image.lastPaused === task_id) this.#set({ lastPaused: undefined });
  }

  /** Makes one transition of the active task, or opens it: then there is no task before. */
  #take(before: Omit<ActiveTask, 'task'> & { task: Task | null }, made: Step, event: TaskEvent | TaskOpened): Task {
    const { task, effects } = made;
    const chain = this.#addEntry(made, event, before.chain);
    this.#transitions.push({ event, before: before.task, task });
    this.#askApprovers(before.task, task);
    if (isSettled(task.state)) this.#settle(task, before.isSnapped, chain);
    else this.#goOn({ ...before, chain }, task, effects[0]);
    return task;
  }

  /** An action that waits for approvers is found by them until another event of its task comes. */
  #askApprovers(before: Task | null, { context }: Task): void {
    const { task_id } = context;
    const wasOpen = before !== null && pendingApprovers(before.context) !== null;
    if (wasOpen) this.#changes.push({ type: 'approval.closed', task_id });
    const wanted = pendingApprovers(context);
    if (wanted !== null) this.#changes.push({ type: 'approval.opened', task_id, ...wanted });
  }

  #goOn(before: Omit<ActiveTask, 'task'>, task: Task, effect: Effect | undefined): void {
    const { isRetryAfterCrash, begins, isBegun } = effect === undefined ? before : FIRST_BEGIN;
    const { seq } = this.#image;
    const isDue = before.unsnapped + 1 >= SNAPSHOT_EVERY;
    if (isDue) this.#changes.push({ type: 'snapshot.saved', task_id: task.context.task_id, seq, task });
    const unsnapped = isDue ? 0 : before.unsnapped + 1;
    this.#set({
      active: {
        task,
        isRetryAfterCrash,
        begins,
        isBegun,
        unsnapped,
        isSnapped: before.isSnapped || isDue,
        chain: before.chain,
      },
      open: effect ?? this.#image.open,
    });
  }

  #settle(task: Task, isSnapped: boolean, chain: string): void {
    const { state, context } = task;
    const { task_id } = context;
    const { seq, lastPaused } = this.#image;
    const stillPaused = lastPaused === task_id ? undefined : lastPaused;
    this.#answerTurns(task, this.#storeSettled(task, seq, isSnapped));
    this.#set({
      recent: { task_id, state, touched_at_seq: seq },
      lastPaused: state === 'paused' ? task_id : stillPaused,
      active: state === 'awaiting_user' ? { task, ...FIRST_BEGIN, unsnapped: 0, isSnapped: true, chain } : null,
      open: null,
    });
  }

  /**
   * Stores a settled task in its current state. An ended task never changes again, so its history and view are enough.
   */
  #storeSettled(task: Task, touched_at_seq: number, isSnapped: boolean): TaskView {
    const { state, context } = task;
    const { task_id, expires_in } = context;
    const view = taskView(task);
    const question = state === 'awaiting_user' ? context.last_ask_user_question : null;
    const expires_at = question === null || expires_in === null ? null : this.#now + expires_in * 1_000;
    if (!isEnded(state)) this.#changes.push({ type: 'snapshot.saved', task_id, seq: this.#image.seq, task });
    else if (isSnapped) this.#changes.push({ type: 'snapshot.dropped', task_id });
    this.#changes.push({ type: 'task.moved', task_id, state, touched_at_seq, view, question, expires_at });
    return view;
  }

  /** Answers the turns that are bound to a settled task. */
  #answerTurns(task: Task, view: TaskView): void {
    const { turns, conversation } = this.#image;
    const bound = turns.filter(({ task_id }) => task_id === task.context.task_id);
    if (bound.length === 0) return;
    const reply: TurnReply = { ...replyOf(task), task: view };
    for (const turn of bound) this.#changes.push({ type: 'turn.finished', turn, reply });
    const answered = bound.map(({ input, options: { files } }) => ({
      said: input,
      answered: reply.output,
      ...(files !== undefined && { files }),
    }));
    this.#set({
      turns: turns.filter((turn) => !bound.includes(turn)),
      conversation: conversationOf([...conversation, ...answered]),
    });
  }
}
