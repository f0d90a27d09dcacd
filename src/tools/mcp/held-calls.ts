import type { CallToolResult, ElicitResult } from '@modelcontextprotocol/client';

/** The next event of a call: it asks the user, or it is over. */
export type CallNews = { elicited: unknown } | { result: CallToolResult };

interface Elicitation {
  params: unknown;
  answer(result: ElicitResult): void;
}

/**
 * A call of a server of the 2025 protocol, which asks on the connection of the call and meanwhile holds its result back.
 * It outlives the effect that began it, until its user has answered or its connection ends.
 */
export class HeldCall {
  readonly task_id: string;
  readonly effect_id: string;
  readonly #stopping = new AbortController();
  #elicitation: Elicitation | null = null;
  #outcome: { result: CallToolResult } | { error: unknown } | null = null;
  #news = Promise.withResolvers<void>();

  /** Begins it. */
  constructor(
    { task_id, effect_id }: { task_id: string; effect_id: string },
    call: (signal: AbortSignal) => Promise<CallToolResult>,
  ) {
    this.task_id = task_id;
    this.effect_id = effect_id;
    call(this.#stopping.signal).then(
      (result) => this.#end({ result }),
      (error: unknown) => this.#end({ error }),
    );
  }

  /** The server waits for an answer now. */
  get isAsking(): boolean {
    return this.#elicitation !== null;
  }

  get isOver(): boolean {
    return this.#outcome !== null;
  }

  /** The server asks. Resolves with the answer; a question that it takes back is answered by nobody. */
  asked(params: unknown, takenBack: AbortSignal): Promise<ElicitResult> {
    const answered = Promise.withResolvers<ElicitResult>();
    const elicitation = { params, answer: answered.resolve };
    this.#elicitation = elicitation;
    takenBack.addEventListener('abort', () => {
      if (this.#elicitation === elicitation) this.#elicitation = null;
      answered.resolve({ action: 'cancel' });
    });
    this.#tell();
    return answered.promise;
  }

  /** Answers the open question, if it is still open. */
  answer(result: ElicitResult): void {
    const elicitation = this.#elicitation;
    this.#elicitation = null;
    elicitation?.answer(result);
  }

  /** The next question or the result. Rejects with the fault of the call; `signal` ends the call. */
  async next(signal: AbortSignal): Promise<CallNews> {
    const stop = (): void => this.#stopping.abort(signal.reason);
    signal.throwIfAborted();
    signal.addEventListener('abort', stop, { once: true });
    try {
      while (this.#outcome === null && this.#elicitation === null) await this.#news.promise;
    } finally {
      signal.removeEventListener('abort', stop);
    }
    if (this.#outcome === null) return { elicited: this.#elicitation?.params };
    if ('error' in this.#outcome) throw this.#outcome.error;
    return this.#outcome;
  }

  /** Nobody will answer: its server learns that, and its result is of no use. */
  giveUp(): void {
    this.answer({ action: 'cancel' });
    this.#stopping.abort(new Error('the task goes on without this call'));
  }

  #end(outcome: { result: CallToolResult } | { error: unknown }): void {
    this.#outcome = outcome;
    this.#elicitation = null;
    this.#tell();
  }

  #tell(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers<void>();
  }
}

/** The calls of a server that wait for their users, each under its id. */
export const createHeldCalls = () => {
  const held = new Map<string, HeldCall>();
  const drop = (isMeant: (call: HeldCall) => boolean): void => {
    for (const call of [...held.values()].filter(isMeant)) {
      held.delete(call.effect_id);
      call.giveUp();
    }
  };
  return {
    keep: (call: HeldCall): void => void held.set(call.effect_id, call),
    /** A call that waits, which from now on is the caller's; undefined: this process holds none. */
    take: (effect_id: string): HeldCall | undefined => {
      const call = held.get(effect_id);
      held.delete(effect_id);
      return call;
    },
    /** The task has ended, or goes on with another call: its other calls are given up. */
    leave: (task_id: string, except?: string): void =>
      drop((call) => call.task_id === task_id && call.effect_id !== except),
  };
};
export type HeldCalls = ReturnType<typeof createHeldCalls>;
