import { apiError, rawBody } from '../support/anthropic/answers.ts';
import { startMessagesServer } from '../support/anthropic/server.ts';
import { RESPONSES_API, WIRES } from '../support/models/wires.ts';
import { openAiModelAgainst } from '../support/openai/model.ts';
import { testFaults } from './model-faults.ts';

const { whole } = WIRES['/v1/responses'];

testFaults({
  start: () => startMessagesServer([], RESPONSES_API),
  modelAgainst: openAiModelAgainst,
  key: 'OPENAI_API_KEY',
  url: 'TRIPACT_OPENAI_BASE_URL',
  passing: [
    ['200 with an error for a body', rawBody('{"error":{"message":"out of memory"}}'), null],
    ['a response that failed', rawBody('{"status":"failed","error":{"code":"server_error","message":"x"}}'), null],
    [
      'a response that failed, with its kind',
      rawBody('{"status":"failed","error":{"code":"server_error","type":"server_error","message":"x"}}'),
      null,
    ],
  ],
  spent: apiError(429, { type: 'insufficient_quota', text: 'You exceeded your current quota.' }),
  rejected: [
    [
      'a text that is cut',
      whole({ text: '{"status":"contin', end: 'length' }),
      { fault: 'truncated', text: '{"status":"contin' },
    ],
    ['a refusal', whole({ text: 'I will not.', end: 'refusal' }), { fault: 'refused', text: 'I will not.' }],
    ['reasoning alone', whole({}), { fault: 'empty', text: '' }],
    ['blank text', whole({ text: ' \n' }), { fault: 'empty', text: ' \n' }],
  ],
});
