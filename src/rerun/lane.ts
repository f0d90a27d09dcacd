import { effectId } from '../../contracts/ids.ts';
import type { LaneEnd, RewordedQuestion } from '../../contracts/rerun.ts';
import { type Catalogue, isEnded, isSettled, type TaskSnapshot } from '../../contracts/task.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { chosenOption } from '../../machines/options.ts';
import type { Task } from '../../machines/step.ts';
import { messageOf, ServiceError } from '../lib/errors.ts';
import type { Model } from '../models/port.ts';
import { allItems } from '../projections/items.ts';
import { type Budget, createLaneModel } from './lane-model.ts';
import { createLaneTools } from './lane-tools.ts';
import type { Lab, LaneEngine } from './port.ts';
import { type RecordedAnswers, recordedAnswers } from './recorded-answers.ts';
import { awaitedAction, type Episode, type Found, recordedUser, type UserEvent } from './recorded-user.ts';
import type { RecordedTask } from './recording.ts';
import { untilAborted } from './until-aborted.ts';

/** One lane to run. */
export interface LaneRun {
  recorded: RecordedTask;
  /** The recording whose tools and verifiers answer. */
  answers: RecordedTask;
  model: Model;
  /** In place of those of the task's agent; null: those. */
  instructions: string | null;
  liveReads: boolean;
  budget: Budget;
  timezone: string;
  signal: AbortSignal;
}

/** The result of a lane. */
export interface LaneRan {
  readonly entries: readonly TaskTraceEntry[];
  readonly task: Task;
  readonly ended: LaneEnd | null;
  readonly reworded: readonly RewordedQuestion[];
}

const OWNER = 'rerun';

/** The recorded time of an entry, in epoch milliseconds. */
const timeOf = ({ entry }: RecordedTask['entries'][number]): number => Date.parse(entry.at);

/**
 * The clock of a lane: of each entry that the recording has, the time when that was made, so that prompts and tools see the
 * recorded times; beyond them it goes on from the last.
 */
const laneClock = ({ entries }: RecordedTask, count: () => number) => {
  const last = timeOf(entries.at(-1)!);
  let beyondSince: number | null = null;
  let latest = 0;
  return (): number => {
    const entry = entries[count()];
    beyondSince ??= entry === undefined ? performance.now() : null;
    const now = entry === undefined ? last + Math.round(performance.now() - beyondSince!) : timeOf(entry);
    latest = Math.max(latest, now);
    return latest;
  };
};

/** Runs a lane's engine until the task ends, waits for something that the recording does not answer, or the lane is ended. */
class Lane {
  readonly #run: LaneRun;
  readonly #answers: RecordedAnswers;
  readonly #user: ReturnType<typeof recordedUser>;
  readonly #engine: LaneEngine;
  readonly #session_id: string;
  readonly #ended = Promise.withResolvers<null>();
  readonly #now: () => number;
  #task: TaskSnapshot;
  #count = 0;
  #end: LaneEnd | null = null;
  #reworded: RewordedQuestion[] = [];

  constructor(run: LaneRun, lab: Lab, session_id: string) {
    const { recorded, model, instructions, liveReads, budget } = run;
    const answers = recordedAnswers(run.answers);
    const beforeOutcome = (): Promise<void> => this.#interject();
    this.#run = run;
    this.#answers = answers;
    this.#session_id = session_id;
    this.#task = recorded.entries[0]!.after;
    this.#user = recordedUser(recorded);
    this.#now = laneClock(recorded, () => this.#count);
    const agent = lab.agentOf(recorded.opened) ?? lab.standard;
    this.#engine = lab.open({
      opened: recorded.opened,
      model: createLaneModel({ model, budget, prices: lab.prices, beforeOutcome, refused: (end) => this.#stop(end) }),
      agent: {
        skills: agent.skills,
        instructions: instructions ?? agent.instructions,
        tools: createLaneTools({
          answers,
          today: agent.tools,
          liveReads,
          beforeOutcome,
          catalogue: () => this.#catalogue(),
          unrecorded: (call, nth) => this.#stop({ kind: 'unrecorded_call', call, nth }),
        }),
      },
      verifier: async ({ signal }) => {
        const found = answers.verification();
        await beforeOutcome();
        if (found !== undefined) return found;
        this.#stop({ kind: 'unrecorded_check' });
        return untilAborted(signal);
      },
      now: this.#now,
      moved: (task, entries) => {
        this.#task = task;
        this.#count += entries;
      },
    });
  }

  /** Runs it, and stops its engine. */
  async run(): Promise<LaneRan> {
    const { recorded, timezone, signal } = this.#run;
    const key = { owner: OWNER, session_id: this.#session_id };
    const interrupt = (): void => this.#stop({ kind: 'interrupted' });
    signal.addEventListener('abort', interrupt, { once: true });
    if (signal.aborted) interrupt();
    try {
      const opened = await this.#engine.openRecorded(key, recorded.entries[0]!.entry, timezone);
      await this.#follow(opened);
      const entries = await Array.fromAsync(this.#engine.taskTrace(OWNER, opened.task_id!));
      return { entries, task: this.#task, ended: this.#end, reworded: this.#reworded };
    } finally {
      signal.removeEventListener('abort', interrupt);
      await this.#engine.stop();
    }
  }

  /** The recorded catalogue at the entry that comes next. */
  #catalogue(): Catalogue {
    const { entries } = this.#run.recorded;
    return entries[Math.min(this.#count, entries.length - 1)]!.after.context.catalogue;
  }

  #stop(end: LaneEnd): void {
    this.#end ??= end;
    this.#ended.resolve(null);
  }

  /** Waits for a turn, and lets the recorded user answer, until there is nothing to do any more. */
  async #follow(opened: TurnView): Promise<void> {
    for (let turn: TurnView | null = opened; turn !== null; ) {
      const left = new AbortController();
      const waited = this.#engine.wait(OWNER, turn.id, left.signal);
      waited.catch(() => {});
      await Promise.race([waited, this.#ended.promise]);
      left.abort();
      turn = this.#end === null ? await this.#answer() : null;
    }
  }

  /** Does what the recorded user did at a task that waits so. Null: nothing, and the lane is over. */
  async #answer(): Promise<TurnView | null> {
    for (;;) {
      if (!isSettled(this.#task.state)) throw new Error(`a lane was answered while it is ${this.#task.state}`);
      if (isEnded(this.#task.state)) return null;
      const found = this.#user.answerTo(this.#task);
      if (found === null) return this.#unanswered();
      const turn = await this.#perform(found);
      if (turn !== 'done') return turn;
    }
  }

  /** A pause that the recording has not is an outcome; a question that it has not ends the lane. */
  #unanswered(): null {
    if (this.#task.state === 'paused') return null;
    const call = awaitedAction(this.#task);
    const text = this.#task.context.last_ask_user_question ?? '';
    const nth = call === null ? 0 : this.#answers.times(call) + 1;
    this.#stop(call === null ? { kind: 'unrecorded_question', text } : { kind: 'unrecorded_call', call, nth });
    return null;
  }

  /** `done`: the task may wait for something else now. Null: the recorded user did nothing more. */
  async #perform({ episode, isReworded }: Found): Promise<TurnView | 'done' | null> {
    if (episode.events.length === 0) return null;
    const came = this.#task.context.last_ask_user_question ?? '';
    for (const event of episode.events) {
      const turn = await this.#act(event, episode);
      if (this.#end !== null) return null;
      if (turn === null) continue;
      if (isReworded && event.type === 'answer.received')
        this.#reworded.push({ recorded: episode.task.context.last_ask_user_question ?? '', came, answer: turn.input });
      return turn;
    }
    return isSettled(this.#task.state) && !isEnded(this.#task.state) && episode.events.at(-1)?.type === 'plan.edited'
      ? null
      : 'done';
  }

  /** Does one thing that the recorded user did; gives the turn that will be answered, if there is one. */
  async #act(event: UserEvent, episode: Episode | null): Promise<TurnView | null> {
    const key = { owner: OWNER, session_id: this.#session_id };
    const { task_id } = this.#task.context;
    switch (event.type) {
      case 'answer.received': {
        const { signed_in: server, ...brought } = event;
        if (server !== undefined) return this.#say(event.text, { ...brought, signed_in: this.#signIn(server) });
        return this.#say(this.#words(event.text, episode), brought);
      }
      case 'steer.received':
        await this.#say(event.text, event, 'steer');
        return null;
      case 'decision.received':
        return this.#say('', { ...event, decision: event.decision });
      case 'task.resumed':
        return this.#say('continue', event);
      case 'plan.edited':
        await this.#edit(event);
        return null;
      case 'task.cancelled':
        await this.#engine.cancel(OWNER, task_id);
        return null;
      case 'question.expired': {
        const at = Date.parse(event.expired_at);
        await this.#engine.deliverDue(key, at, at);
        return null;
      }
      default:
        return event satisfies never;
    }
  }

  /** An answer by a place in the recorded question's options means the option, wherever it stands now. */
  #words(text: string, episode: Episode | null): string {
    const options = episode?.task.context.question_options ?? [];
    return this.#task.context.question_options.join('\n') === options.join('\n') ? text : chosenOption(options, text);
  }

  /** The recorded sign-in, which happens nowhere: the call that waits for it has another id here. */
  #signIn(server: string): { server: string; effect_id: string } {
    const { task_id, tool_question } = this.#task.context;
    return { server, effect_id: effectId(task_id, tool_question?.effect ?? 0) };
  }

  async #say(
    input: string,
    { metadata, context, answer_schema, expires_in, decision, signed_in }: Brought,
    on_busy?: 'steer',
  ): Promise<TurnView> {
    const { turn } = await this.#engine.submit({
      owner: OWNER,
      session_id: this.#session_id,
      timezone: this.#run.timezone,
      input,
      decider: 'anybody',
      ...(on_busy !== undefined && { on_busy }),
      ...(decision !== undefined && { decision }),
      ...(signed_in !== undefined && { signed_in }),
      ...(metadata !== undefined && { metadata }),
      ...(context !== undefined && { context }),
      ...(answer_schema !== undefined && { answer_schema }),
      ...(expires_in !== undefined && { expires_in }),
    });
    return turn;
  }

  /** Makes the recorded edit, whose indexes count the current plan, where the API counts ended items, too. */
  async #edit({ edits }: Extract<UserEvent, { type: 'plan.edited' }>): Promise<void> {
    const { context } = this.#task;
    const before = allItems(context).length - context.plan_items.length;
    const shown = edits.map((edit) => {
      if (edit.kind === 'move') return { ...edit, from: edit.from + before, to: edit.to + before };
      return edit.index === undefined ? edit : { ...edit, index: edit.index + before };
    });
    try {
      await this.#engine.editPlan(OWNER, context.task_id, shown as Parameters<LaneEngine['editPlan']>[2]);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.#stop({ kind: 'unrecorded_edit', text: messageOf(error) });
    }
  }

  /** Does what the recorded user did before the outcome that comes next. */
  async #interject(): Promise<void> {
    for (;;) {
      const event = this.#user.interjectionAt(this.#count);
      if (event === null || this.#end !== null) return;
      await this.#act(event, null);
    }
  }
}

/** The fields of a turn beside its words. */
interface Brought {
  metadata?: Record<string, unknown> | undefined;
  context?: string | undefined;
  answer_schema?: Record<string, unknown> | undefined;
  expires_in?: number | undefined;
  decision?: Extract<UserEvent, { type: 'decision.received' }>['decision'];
  signed_in?: { server: string; effect_id: string };
}

/**
 * Runs a recorded task again, in the real engine: from the event that opened it, with its tools, limits and conversation. Tools, verifiers
 * and the user answer as recorded. Rejects for a fault of the engine.
 */
export const runLane = (run: LaneRun, lab: Lab, session_id: string): Promise<LaneRan> =>
  new Lane(run, lab, session_id).run();
