import type { Attributes } from '@opentelemetry/api';
import type { Call } from '../../../contracts/calls.ts';
import type { SentPrompt } from '../../../contracts/model-call.ts';
import type { TracedCall, TracingEnvironment } from '../port.ts';

/** Values that put content on spans. The service sends no log events, so `EVENT_ONLY` means none. */
const ON_SPANS = new Set(['true', 'span_only', 'span_and_event']);

/** Whether spans have the texts of prompts, answers and tools: by OpenTelemetry's variable, and by default not. */
export const capturesContent = (env: TracingEnvironment): boolean =>
  ON_SPANS.has(env['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT']?.trim().toLowerCase() ?? '');

/** Removes secrets from a text. */
export type Mask = (text: string) => string;

const textPart = (content: string) => ({ type: 'text', content });

const callPart = ({ name, input, unreadable }: Call) => ({ type: 'tool_call', name, arguments: unreadable ?? input });

const promptAttributes = ({ tools, system, messages }: SentPrompt): Attributes => {
  const definitions = tools?.map(({ name, description, schema }) => ({
    type: 'function',
    name,
    description,
    parameters: schema,
  }));
  const input = messages.map(({ role, content }) => ({ role, parts: [textPart(content)] }));
  return {
    'gen_ai.system_instructions': JSON.stringify([textPart(system)]),
    'gen_ai.input.messages': JSON.stringify(input),
    ...(definitions !== undefined && { 'gen_ai.tool.definitions': JSON.stringify(definitions) }),
  };
};

const answerAttributes = ({ text, calls = [] }: NonNullable<TracedCall['reply']>): Attributes => {
  const parts = [...(text === '' ? [] : [textPart(text)]), ...calls.map(callPart)];
  return { 'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts }]) };
};

/** The texts of a model call, as the conventions write them on a span: JSON in attributes. */
export const callContent = ({ sent, reply }: TracedCall, mask: Mask): Attributes => {
  const attributes = {
    ...(sent !== null && promptAttributes(sent.prompt)),
    ...(reply !== null && answerAttributes(reply)),
  };
  return Object.fromEntries(Object.entries(attributes).map(([name, text]) => [name, mask(String(text))]));
};
