import type { APICallError } from 'ai';
import { type ErrorResponse, errorIn, NoAnswer } from '../asking/verdict.ts';

/** How OpenAI and others report an exhausted balance. Unlike for other 429s, waiting does not help. */
const SPENT =
  /insufficient_quota|billing_hard_limit_reached|insufficient_(credits|balance)|enforced_spend_limit_reached/;

const BODY_CHARS_READ = 10_000;

/** Names of provider and SDK errors for a response that contains no complete message. */
const NO_MESSAGE =
  /^AI_(InvalidResponseDataError|TypeValidationError|JSONParseError|EmptyResponseBodyError|NoContentGeneratedError|NoOutputGeneratedError)$/;

/** Recognized by name, since several versions of the SDK's packages may be installed side by side. */
const isCallError = (error: unknown): error is APICallError =>
  error instanceof Error && error.name === 'AI_APICallError';

/** Whether the server accepted the call but sent no complete message. */
export const isNoMessage = (error: unknown): boolean =>
  error instanceof Error && (NO_MESSAGE.test(error.name) || (isCallError(error) && Number(error.statusCode) < 300));

/** Whether the connection failed while the answer arrived. */
export const isCutOff = (error: unknown): boolean => error instanceof Error && error.cause instanceof NoAnswer;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** The message in an error body that came in place of a model's message; null: none. */
const saidIn = (error: unknown): string | null => {
  if (isCallError(error)) return saidIn(error.cause) ?? errorIn(parsed(error.responseBody ?? ''));
  return error instanceof Error && 'value' in error ? errorIn(error.value) : null;
};

/**
 * A complete response with status 200 that reports a failure. OpenAI's package turns it into a refusal with the parsed
 * body and no text.
 */
const isFailedAnswer = (error: unknown): error is APICallError =>
  isCallError(error) && typeof error.responseBody === 'object';

/** The error of an accepted call without a complete message; null for other errors. */
export const noAnswerOf = (error: unknown): NoAnswer | null => {
  if (isFailedAnswer(error))
    return new NoAnswer('the server ended the answer with an error', { cause: error, said: error.message });
  // A failed connection has its own cause.
  if (!isNoMessage(error) || isCutOff(error)) return null;
  return new NoAnswer('the server answered 200 with something that is not a message', {
    cause: error,
    said: saidIn(error),
  });
};

/** An error that a server sent within a stream, without a status, as an error to throw. */
export const streamErrorOf = (error: unknown): Error =>
  error instanceof Error
    ? error
    : new NoAnswer('the server ended the answer with an error', { said: errorIn({ error }) });

/** Statuses that may mean that a server refuses to stream. */
const NOT_STREAMED = new Set([400, 405, 406, 415, 422, 501]);

/** Whether a server may have refused to stream. */
export const mayRefuseStream = (error: unknown): boolean =>
  isNoMessage(error) || (isCallError(error) && NOT_STREAMED.has(Number(error.statusCode)));

/** The kind of an error: refused by the server, a failed connection, or neither. */
export const callFaultOf = (error: unknown): ErrorResponse | 'connection' | null => {
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
