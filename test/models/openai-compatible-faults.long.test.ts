import { apiError, rawBody } from '../support/anthropic/answers.ts';
import { startMessagesServer } from '../support/anthropic/server.ts';
import * as chats from '../support/openai/answers.ts';
import { chatModelAgainst } from '../support/openai/model.ts';
import { testFaults } from './model-faults.ts';

testFaults({
  start: () => startMessagesServer([], chats.CHAT_API),
  modelAgainst: chatModelAgainst,
  key: 'OPENAI_API_KEY',
  url: 'TRIPACT_OPENAI_BASE_URL',
  passing: [
    ['a stream that breaks off', chats.brokenStream(), null],
    ['200 without a choice', rawBody('{"choices":[]}'), null],
    ['200 with an error for a body', rawBody('{"error":{"message":"out of memory"}}'), null],
  ],
  spent: apiError(429, { type: 'insufficient_quota', text: 'You exceeded your current quota.' }),
  rejected: [
    ['length', chats.tooLong('{"status":"contin'), { fault: 'truncated', text: '{"status":"contin' }],
    ['a refusal', chats.refusal(), { fault: 'refused', text: 'I will not.' }],
    ['a filtered answer', chats.filtered(), { fault: 'refused', text: '' }],
    ['empty content', chats.chat(''), { fault: 'empty', text: '' }],
    ['no content', chats.chat('', { message: { content: null } }), { fault: 'empty', text: '' }],
    ['blank text', chats.chat(' \n'), { fault: 'empty', text: ' \n' }],
  ],
});
