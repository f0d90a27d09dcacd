/**
 * One session in memory: it takes inputs one by one, performs the open effect meanwhile, and is alone in changing its session.
 *
 * - One decision is stored at a time, so nothing below needs a lock.
 * - An effect is begun once the decision that asks for it is stored, and the next one once its outcome is (SPEC 7).
 * - A commit that failed may be stored all the same. Nothing is decided after it before the session is read again.
 * - An outcome that comes when its effect is not open any more moves no task: it is written down as a late result.
 * - Every input is answered: with its decision, with the reason why it was refused or not stored, or with `SHUTTING_DOWN`.
 * - An actor that stops begins nothing. An effect that it did not begin is stored as such, and the next process begins it.
 *
 * The states and transitions are in docs/architecture.md.
 */
import type { Effect, TaskEvent } from '../../contracts/event.ts';
import { isStorageFault } from '../lib/errors.ts';
import type { Queries } from '../lib/queries.ts';
import { type Decision, isRemoval, type Transition } from '../session/change.ts';
import {
  type ActiveTask,
  activityOf,
  type Need,
  NotLoaded,
  newSessionImage,
  queuedTurns,
  type SessionImage,
  withKnownEffect,
} from '../session/image.ts';
import type { EffectWork, Outcome, SessionInput } from '../session/input.ts';
import { StaleImage, type Store } from '../store/port.ts';
import { EffectInFlight } from './effect-in-flight.ts';
import { Inbox } from './inbox.ts';
import { newId } from './new-id.ts';

/** How long a session waits before it retries to store something, in milliseconds. */
const RETRY_MS = 1_000;

/**
 * How often one decision is made again because its image lacked something or was stale: far more than any decision
 * needs.
 */
const DECISIONS_MAX = 20;

export interface ActorDeps {
  store: Pick<Store, 'load' | 'loadTask' | 'commit'>;
  decide(image: SessionImage, input: SessionInput): Queries<Decision>;
  now(): number;
  performEffect(image: SessionImage, effect: Effect, active: ActiveTask, signal: AbortSignal): Promise<Outcome>;
  failedWork(work: EffectWork, error: unknown): TaskEvent;
  /** A decision was refused or could not be stored. */
  onNotCommitted(error: unknown): void;
  /** The session was loaded again: commits in between were not reported here. */
  onReloaded(before: SessionImage, image: SessionImage): void;
  /** After a commit; `durationMs` is the time until it was durable. */
  onCommitted(decision: Decision, durationMs: number): void;
  /** The outcome of an effect could not be stored, `tries` times in a row, and will be retried. */
  onNotStored(image: SessionImage, error: unknown, tries: number): void;
  onIdle(): void;
}

/** The actor's current activity. */
type State =
  /** Nothing is left to do. */
  | { readonly name: 'idle' }
  /** A decision is made and stored, or the session is read again; `over` resolves at the end in any case. */
  | { readonly name: 'committing'; readonly over: Promise<void> }
  /** It waits for the outcome of the effect in flight; `interrupt` ends the wait, not the effect. */
  | { readonly name: 'performing'; readonly interrupt: () => void }
  /** Something could not be stored; retries when the timer fires, or an input arrives. */
  | { readonly name: 'retrying'; readonly timer: NodeJS.Timeout };

/** Its knowledge of the stored session. */
type Knowledge =
  | { readonly name: 'certain' }
  /**
   * The last commit failed but may be stored: its answer was lost, and its user may have seen the result. `doubted` is
   * the session after it.
   */
  | { readonly name: 'in_doubt'; readonly doubted: SessionImage };

/** Whether it may accept and start anything. */
type Life =
  | { readonly name: 'serving' }
  /** Effects in flight are aborted when `deadline` aborts. */
  | { readonly name: 'stopping'; readonly deadline: AbortSignal };

const IDLE: State = { name: 'idle' };
const CERTAIN: Knowledge = { name: 'certain' };
const SERVING: Life = { name: 'serving' };

/** A late outcome as recorded: the results of tools, else its type. */
const lateResults = (late: TaskEvent): string =>
  late.type === 'observations.recorded' ? late.observations.map(({ result }) => result).join('\n') : late.type;

export class SessionActor {
  readonly #deps: ActorDeps;
  readonly #inbox = new Inbox();
  #state = IDLE;
  #knowledge = CERTAIN;
  #life = SERVING;
  /** As of the last known commit. */
  #image: SessionImage;
  /** The open effect, once it has begun. It continues while inputs are taken. */
  #effect: EffectInFlight | null = null;
  /** Aborted effects that may still produce an outcome. */
  readonly #late = new Set<EffectInFlight>();
  /** Consecutive attempts that stored nothing. */
  #failures = 0;
  /** The current work, or the last. */
  #work = Promise.resolve();

  constructor(loaded: SessionImage, deps: ActorDeps) {
    this.#image = loaded;
    this.#deps = deps;
  }

  get image(): SessionImage {
    return this.#image;
  }

  /** Nothing is open, pending, to be retried, or still aborting, so the session may leave memory. */
  get isIdle(): boolean {
    const { open, turns } = this.#image;
    const isOpen = open !== null || turns.length > 0;
    return this.#state.name === 'idle' && !isOpen && this.#inbox.isEmpty && this.#late.size === 0;
  }

  /** Resolves once the image contains everything that a reader of the store may have seen. */
  async settled(): Promise<void> {
    if (this.#state.name === 'committing') await this.#state.over;
  }

  /** Resolves with the decision on the input once it is stored; rejects if it is refused or cannot be stored. */
  post(input: SessionInput): Promise<Decision> {
    const cameWhileRunning = this.#knowledge.name === 'certain' && activityOf(this.#image) === 'running';
    const answered = this.#inbox.add(input.type === 'turn' ? { ...input, cameWhileRunning } : input);
    this.wake();
    return answered;
  }

  /** Makes it look for work. */
  wake(): void {
    if (this.#life.name === 'stopping') this.#inbox.refuseAll();
    else if (this.#state.name === 'performing') this.#state.interrupt();
    else if (this.#state.name !== 'committing') this.#beginWork();
  }

  /**
   * Stops after the commit in progress. Effects get until `deadline` to produce an outcome, then are aborted. Unstored
   * inputs are refused with `SHUTTING_DOWN`.
   */
  async stop(deadline: AbortSignal): Promise<void> {
    this.#life = { name: 'stopping', deadline };
    this.#inbox.refuseAll();
    if (deadline.aborted) this.#giveUpEffect();
    else deadline.addEventListener('abort', () => this.#giveUpEffect());
    // An outcome that could not be stored is retried once.
    if (this.#state.name === 'retrying') this.#beginWork();
    await this.#work;
  }

  #beginWork(): void {
    if (this.#state.name === 'retrying') clearTimeout(this.#state.timer);
    this.#state = { name: 'committing', over: Promise.resolve() };
    this.#work = this.#moveOn();
  }

  async #moveOn(): Promise<void> {
    try {
      await this.#advance();
      if (this.#life.name === 'stopping') await this.#finish(this.#life.deadline);
      this.#state = IDLE;
    } catch (error) {
      if (this.#life.name === 'stopping') this.#state = IDLE;
      else this.#tryAgainLater(error);
    }
    this.#deps.onIdle();
    if (!this.#inbox.isEmpty) this.wake();
  }

  #tryAgainLater(error: unknown): void {
    this.#failures += 1;
    this.#state = { name: 'retrying', timer: setTimeout(() => this.wake(), RETRY_MS) };
    this.#deps.onNotStored(this.#image, error, this.#failures);
  }

  /** Advances the session until nothing is left to do, or it stops. Commits first, then performs (SPEC 7). */
  async #advance(): Promise<void> {
    while (this.#life.name === 'serving') {
      const { active, open } = this.#image;
      if (!this.#inbox.isEmpty) await this.#takeInput();
      else if (this.#knowledge.name === 'in_doubt') await this.#lookUp();
      else if (active !== null && open !== null) {
        if (active.isBegun) await this.#perform(open, active);
        else await this.#commit({ type: 'effect_begun' });
      } else if (active === null && queuedTurns(this.#image).length > 0)
        await this.#commit({ type: 'queued_next', task_id: newId('task', this.#deps.now()) });
      else return;
    }
  }

  /** Stores the outcome of the effect in flight if it comes in time, and starts nothing. */
  async #finish(deadline: AbortSignal): Promise<void> {
    while (!deadline.aborted) {
      if (this.#knowledge.name === 'in_doubt') await this.#lookUp();
      else if (this.#effect !== null) await this.#commitOutcome(this.#effect);
      else break;
    }
    if (!deadline.aborted && this.#isUnbegun) await this.#commit({ type: 'effect_left' });
  }

  /** An actor asked for the open effect but never began it, and nobody else may have. */
  get #isUnbegun(): boolean {
    const { active, open } = this.#image;
    return open !== null && active?.isRetryAfterCrash === false && this.#effect === null;
  }

  /** Takes the next input, and answers its sender. */
  async #takeInput(): Promise<void> {
    const next = this.#inbox.takeNext();
    if (next !== undefined) await this.#commit(next.input).then(next.resolve, next.reject);
  }

  /** Starts the open effect unless it is in flight, and stores its outcome unless an input arrives before. */
  async #perform(open: Effect, active: ActiveTask): Promise<void> {
    await this.#commitOutcome(this.#effect ?? this.#begin(open, active));
  }

  #begin(open: Effect, active: ActiveTask): EffectInFlight {
    const image = this.#image;
    const begun = new EffectInFlight(active.task.context.task_id, open.effect, (signal) =>
      this.#deps.performEffect(image, open, active, signal),
    );
    this.#effect = begun;
    // It was aborted, or the store failed before it began, so it is performed anew. Nobody may be waiting for it.
    begun.outcome.catch(() => {
      if (this.#effect === begun) this.#effect = null;
    });
    return begun;
  }

  /**
   * Stores the outcome of an effect. Returns without it if an input arrives and has to be taken first, or time is over.
   */
  async #commitOutcome(effect: EffectInFlight): Promise<void> {
    const outcome = await this.#awaitOutcome(effect);
    if (outcome === null) return;
    try {
      const { duration_ms } = effect;
      await this.#commit(
        outcome.type === 'effect_work' ? outcome : { type: 'effect_result', event: outcome, duration_ms },
      );
    } catch (error) {
      if (outcome.type !== 'effect_work' || isStorageFault(error)) throw error;
      await this.#commit({ type: 'effect_result', event: this.#deps.failedWork(outcome, error) });
    }
  }

  async #awaitOutcome({ outcome }: EffectInFlight): Promise<Outcome | null> {
    if (!this.#inbox.isEmpty) return null;
    const interrupted = Promise.withResolvers<null>();
    this.#state = { name: 'performing', interrupt: () => interrupted.resolve(null) };
    return Promise.race([outcome, interrupted.promise]);
  }

  /** Time is over. An effect that ignores the abort is not awaited: it stays open in the store. */
  #giveUpEffect(): void {
    this.#effect?.abort('the service is stopping');
    if (this.#state.name === 'performing') this.#state.interrupt();
  }

  async #commit(input: SessionInput): Promise<Decision> {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    this.#state = { name: 'committing', over };
    try {
      return await this.#store(input);
    } finally {
      resolve();
    }
  }

  /** Makes the decision and stores it, again if its image lacked something or was stale. */
  async #store(input: SessionInput): Promise<Decision> {
    const { store, decide, onNotCommitted } = this.#deps;
    for (let tries = 1; ; tries += 1) {
      if (this.#knowledge.name === 'in_doubt') await this.#lookUp();
      const base = this.#image;
      const began = performance.now();
      let decided: SessionImage | null = null;
      try {
        const decision = await store.commit(base, function* () {
          const made = yield* decide(base, input);
          decided = made.image;
          return made;
        });
        this.#follow(input, decision, performance.now() - began);
        return decision;
      } catch (error) {
        onNotCommitted(error);
        if (tries < DECISIONS_MAX && (await this.#supply(base, error))) continue;
        if (isStorageFault(error)) this.#knowledge = { name: 'in_doubt', doubted: decided ?? base };
        // Tasks loaded for a refused input are not kept: inputs may name any number of them.
        if (this.#image.loaded.size > 0) this.#image = { ...this.#image, loaded: new Map() };
        throw error;
      }
    }
  }

  /** The decision is stored: continues from there, and reports it. */
  #follow(input: SessionInput, decision: Decision, durationMs: number): void {
    const { session } = this.#image;
    this.#failures = 0;
    // The number of a removed session is free again.
    this.#image = isRemoval(decision)
      ? newSessionImage(session.id, session, session.timezone, this.#deps.now())
      : decision.image;
    if (this.#effect !== null && !this.#effect.isOpenIn(this.#image)) this.#close(this.#effect, decision.transitions);
    if (input.type === 'owner_removed') for (const effect of this.#late) effect.discard();
    this.#deps.onCommitted(decision, durationMs);
  }

  /** The effect is closed: its outcome is stored, or a cancel made it pointless. */
  #close(effect: EffectInFlight, transitions: readonly Transition[]): void {
    this.#effect = null;
    if (transitions.some((transition) => effect.ledTo(transition))) return;
    effect.abort('the task was cancelled');
    this.#late.add(effect);
    effect.outcome
      .then(
        (outcome) => this.#recordLate(effect, outcome),
        () => {},
      )
      .finally(() => {
        this.#late.delete(effect);
        this.wake();
      });
  }

  #recordLate({ task_id, effect, isDiscarded }: EffectInFlight, late: Outcome): void {
    if (late.type === 'effect_work' || isDiscarded) return;
    const outcome = 'result' in late ? late.result : lateResults(late);
    const usage = 'usage' in late ? late.usage : undefined;
    this.post({ type: 'late_result', task_id, effect, outcome, usage }).catch(() => {});
  }

  /** Loads what a decision lacked, so that it can be made again; false for any other error. */
  async #supply(base: SessionImage, error: unknown): Promise<boolean> {
    if (error instanceof NotLoaded) this.#image = await this.#withNeed(base, error.need);
    else if (error instanceof StaleImage) await this.#lookUp();
    else return false;
    return true;
  }

  async #withNeed(base: SessionImage, need: Need): Promise<SessionImage> {
    const { store, now } = this.#deps;
    const { session, loaded } = base;
    if (need.kind === 'task') {
      const task = await store.loadTask(session, need.task_id);
      return { ...base, loaded: new Map([...loaded, [need.task_id, task]]) };
    }
    const { lastPaused } = await store.load(session, session.timezone, now());
    return { ...base, lastPaused };
  }

  /**
   * Reads the session again. Its effect continues if it is still open, and one that nobody has begun is not a
   * repetition.
   */
  async #lookUp(): Promise<void> {
    const { store, now, onReloaded } = this.#deps;
    const before = this.#image;
    const fresh = await store.load(before.session, before.session.timezone, now());
    if (this.#effect !== null && !this.#effect.isOpenIn(fresh)) {
      this.#effect.abort('the outcome of the effect is stored');
      this.#effect = null;
    }
    const known = this.#knowledge.name === 'in_doubt' ? [before, this.#knowledge.doubted] : [before];
    this.#image = withKnownEffect(fresh, known, this.#effect !== null);
    this.#knowledge = CERTAIN;
    onReloaded(before, this.#image);
  }
}
