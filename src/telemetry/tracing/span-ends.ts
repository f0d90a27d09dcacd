import { type Span, SpanStatusCode } from '@opentelemetry/api';

/** The name on spans of a service's only agent. */
export const AGENT = 'tripact';

/** Ends a span, as failed where there is an error. */
export const endWith = (span: Span, error: string | false | undefined): void => {
  if (error) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
  span.end();
};
