import type { APICallError } from 'ai';
import { NoAnswer } from '../no-answer.ts';
import { classifyFailure, classifyRefusal, type Endpoint, type Verdict } from '../verdict.ts';

/** How OpenAI and others say that the money is used up; waiting, as for any other 429, would not help. */
const SPENT =
  /insufficient_quota|billing_hard_limit_reached|insufficient_(credits|balance)|enforced_spend_limit_reached/;

/** Longest part of a server's error that is looked at, in characters. */
const BODY_CHARS_READ = 10_000;

/** Errors of providers and of the SDK that mean a response without a whole message in it, by their names. */
const NO_MESSAGE =
  /^AI_(InvalidResponseDataError|TypeValidationError|JSONParseError|EmptyResponseBodyError|NoContentGeneratedError|NoOutputGeneratedError)$/;

const callErrorName = 'AI_APICallError';

/** By its name, since several versions of the SDK's packages may be installed side by side. */
const isCallError = (error: unknown): error is APICallError => error instanceof Error && error.name === callErrorName;

const classifyStatus = (error: APICallError, status: number, endpoint: Endpoint): Verdict => {
  const body = (error.responseBody ?? '').slice(0, BODY_CHARS_READ);
  const isPage = body.trimStart().startsWith('<');
  return classifyRefusal(
    {
      status,
      said: isPage ? '<html>' : error.message,
      body: `${error.message}\n${body}`,
      retryAfter: error.responseHeaders?.['retry-after'] ?? null,
      isSpent: SPENT.test(body),
    },
    endpoint,
  );
};

/** What an error of the AI SDK or of a provider's package means. */
export const classifyError = (error: unknown, endpoint: Endpoint): Verdict => {
  if (error instanceof Error && NO_MESSAGE.test(error.name))
    return classifyFailure(new NoAnswer((texts) => texts.noMessage, { cause: error }), false, endpoint);
  if (!isCallError(error)) return classifyFailure(error, false, endpoint);
  const { statusCode } = error;
  if (statusCode === undefined) return classifyFailure(error, true, endpoint);
  if (statusCode >= 300) return classifyStatus(error, statusCode, endpoint);
  return classifyFailure(new NoAnswer((texts) => texts.noMessage, { cause: error }), false, endpoint);
};
