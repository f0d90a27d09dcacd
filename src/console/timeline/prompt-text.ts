import type { Call } from '../../../contracts/calls.ts';
import type { ModelCall, SentPrompt } from '../../../contracts/model-call.ts';

/** The tools of a prompt as text: name, description and complete schema of each. */
export const toolsText = (tools: NonNullable<SentPrompt['tools']>): string =>
  tools
    .map(({ name, description, schema }) => `${name}\n${description}\n${JSON.stringify(schema, null, 2)}`)
    .join('\n\n');

/** The input of one call of an answer, as the model wrote it. */
export const callText = ({ input, unreadable }: Call): string => unreadable ?? JSON.stringify(input, null, 2);

/** Everything that a model answered, as one text. */
export const answerText = ({ answer, calls = [] }: Pick<ModelCall, 'answer' | 'calls'>): string =>
  [answer ?? '', ...calls.map((call) => `${call.name} ${callText(call)}`)].filter(Boolean).join('\n\n');
