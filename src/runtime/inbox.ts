import { ServiceError } from '../lib/errors.ts';
import type { Decision } from '../session/change.ts';
import type { SessionInput } from '../session/input.ts';

/** An input and its sender, who gets exactly one answer. */
export interface WaitingInput {
  readonly input: SessionInput;
  resolve(decision: Decision): void;
  reject(error: unknown): void;
}

/** True for a user's input, which waits behind the service's own. */
const isUsers = ({ input: { type } }: WaitingInput): boolean => type === 'turn' || type === 'fork';

/** The pending inputs of one session. Decides only their order. */
export class Inbox {
  readonly #waiting: WaitingInput[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Resolves with the decision; rejects with the reason why the input was refused or not stored. */
  add(input: SessionInput): Promise<Decision> {
    const { promise, resolve, reject } = Promise.withResolvers<Decision>();
    this.#waiting.push({ input, resolve, reject });
    return promise;
  }

  /** Removes the next one, in order of arrival. Users' inputs come after all others. */
  takeNext(): WaitingInput | undefined {
    const urgent = this.#waiting.findIndex((waiting) => !isUsers(waiting));
    const [next] = this.#waiting.splice(Math.max(urgent, 0), 1);
    return next;
  }

  /** Refuses all pending ones with `SHUTTING_DOWN`. */
  refuseAll(): void {
    const text = 'The service is stopping, and nothing of this was stored; try again soon';
    for (const { reject } of this.#waiting.splice(0)) reject(new ServiceError('SHUTTING_DOWN', text));
  }
}
