import type { APICallError } from 'ai';
import { errorIn, NoAnswer, type Refusal } from '../asking/verdict.ts';

/** How OpenAI and others say that the money is used up; waiting, as for any other 429, would not help. */
const SPENT =
  /insufficient_quota|billing_hard_limit_reached|insufficient_(credits|balance)|enforced_spend_limit_reached/;

const BODY_CHARS_READ = 10_000;

/** Errors of providers and of the SDK that mean a response without a whole message in it, by their names. */
const NO_MESSAGE =
  /^AI_(InvalidResponseDataError|TypeValidationError|JSONParseError|EmptyResponseBodyError|NoContentGeneratedError|NoOutputGeneratedError)$/;

/** By its name, since several versions of the SDK's packages may be installed side by side. */
const isCallError = (error: unknown): error is APICallError =>
  error instanceof Error && error.name === 'AI_APICallError';

/** A response without a whole message in it, though the server took the call. */
export const isNoMessage = (error: unknown): boolean =>
  error instanceof Error && (NO_MESSAGE.test(error.name) || (isCallError(error) && Number(error.statusCode) < 300));

/** The connection failed while the answer came. */
export const isCutOff = (error: unknown): boolean => error instanceof Error && error.cause instanceof NoAnswer;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** The words of an error in what came in place of a message; null: there are none. */
const saidIn = (error: unknown): string | null => {
  if (isCallError(error)) return saidIn(error.cause) ?? errorIn(parsed(error.responseBody ?? ''));
  return error instanceof Error && 'value' in error ? errorIn(error.value) : null;
};

/** A whole answer of 200 that says that it failed, which OpenAI's package makes a refusal of: it hands on the parsed body, and no text. */
const isFailedAnswer = (error: unknown): error is APICallError =>
  isCallError(error) && typeof error.responseBody === 'object';

/** An error of a call that came to no whole message, though the server took it; null: it is another error. */
export const noAnswerOf = (error: unknown): NoAnswer | null => {
  if (isFailedAnswer(error))
    return new NoAnswer('the server ended the answer with an error', { cause: error, said: error.message });
  // Of one whose connection failed, the cause says so.
  if (!isNoMessage(error) || isCutOff(error)) return null;
  return new NoAnswer('the server answered 200 with something that is no message', {
    cause: error,
    said: saidIn(error),
  });
};

/** An error that a server sent in a stream, where it has no status, as one to throw. */
export const streamErrorOf = (error: unknown): Error =>
  error instanceof Error
    ? error
    : new NoAnswer('the server ended the answer with an error', { said: errorIn({ error }) });

/** Statuses by which a server may say that it does not stream. */
const NOT_STREAMED = new Set([400, 405, 406, 415, 422, 501]);

/** Whether a server may have meant that it does not stream. */
export const mayRefuseStream = (error: unknown): boolean =>
  isNoMessage(error) || (isCallError(error) && NOT_STREAMED.has(Number(error.statusCode)));

/** The kind of an error: a refusal of the server, a connection that failed, or neither. */
export const callFaultOf = (error: unknown): Refusal | 'connection' | null => {
  if (!isCallError(error)) return null;
  const { statusCode: status, message, responseBody = '', responseHeaders } = error;
  if (status === undefined) return 'connection';
  const body = responseBody.slice(0, BODY_CHARS_READ);
  return {
    status,
    said: body.trimStart().startsWith('<') ? '<html>' : (errorIn(parsed(responseBody)) ?? (message || body)),
    body: `${message}\n${body}`,
    retryAfter: responseHeaders?.['retry-after'],
    isSpent: SPENT.test(body),
  };
};
