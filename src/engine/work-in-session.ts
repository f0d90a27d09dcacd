import type { Asking } from '../store/questions.ts';
import type { Decision } from './change.ts';
import type { SessionKey } from './session-image.ts';
import type { SessionInput } from './session-input.ts';

/** Makes what runs work on owner data as an input of its session, which is made by it where it is new. Rejects with what the work throws. */
export const createWorkInSession =
  (post: (key: SessionKey, input: SessionInput) => Promise<Decision>) =>
  async <Result>(key: SessionKey, work: () => Asking<Result>): Promise<Result> => {
    let result: { value: Result } | undefined;
    await post(key, {
      type: 'owner_work',
      *work() {
        result = { value: yield* work() };
      },
    });
    return result!.value;
  };
