import { type Messages, messages } from '../../contracts/messages/messages.ts';

/** What is said of a model's fault, in one language. */
export type ModelTexts = Messages['models'];

/** A response came, but no whole message was in it. Its message never quotes the body. Worth another try. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
  /** What happened, in a language's texts; the error's own message is the English one. */
  readonly reason: (texts: ModelTexts) => string;

  constructor(reason: (texts: ModelTexts) => string, options?: ErrorOptions) {
    super(reason(messages('en').models), options);
    this.reason = reason;
  }
}

/** Whatever made reading a body fail, as a `NoAnswer`; one that says why already stays as it is. */
export const brokenOff = (cause: unknown): NoAnswer =>
  noAnswerIn(cause) ?? new NoAnswer((texts) => texts.brokeOff, { cause });

/** The `NoAnswer` in a chain of causes, as SDKs wrap what their `fetch` threw; null without one. */
export const noAnswerIn = (error: unknown): NoAnswer | null => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof NoAnswer) return cause;
  return null;
};
