import { ServiceError } from '../lib/errors.ts';
import type { Decision } from '../session/change.ts';
import type { SessionInput } from '../session/input.ts';

/** An input and its sender, who is answered exactly once. */
export interface WaitingInput {
  readonly input: SessionInput;
  resolve(decision: Decision): void;
  reject(error: unknown): void;
}

/** A user's, which waits behind what the service itself has to say. */
const isUsers = ({ input: { type } }: WaitingInput): boolean => type === 'turn' || type === 'fork';

/** The inputs of one session that nobody has taken in yet. It decides their order and nothing else. */
export class Inbox {
  readonly #waiting: WaitingInput[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Resolves with what the input led to; rejects with the reason for which it was refused or not stored. */
  add(input: SessionInput): Promise<Decision> {
    const { promise, resolve, reject } = Promise.withResolvers<Decision>();
    this.#waiting.push({ input, resolve, reject });
    return promise;
  }

  /** Takes the next one out, in the order in which they came; users' come behind all others. */
  takeNext(): WaitingInput | undefined {
    const urgent = this.#waiting.findIndex((waiting) => !isUsers(waiting));
    const [next] = this.#waiting.splice(Math.max(urgent, 0), 1);
    return next;
  }

  /** Refuses all that wait with `SHUTTING_DOWN`. */
  refuseAll(): void {
    const text = 'The service is stopping, and nothing of this was stored; try again soon';
    for (const { reject } of this.#waiting.splice(0)) reject(new ServiceError('SHUTTING_DOWN', text));
  }
}
