import * as answers from '../support/anthropic/answers.ts';
import { modelAgainst } from '../support/anthropic/model.ts';
import { startMessagesServer } from '../support/anthropic/server.ts';
import { testFaults } from './model-faults.ts';

const { apiError, eventStream, rawBody } = answers;

testFaults({
  start: () => startMessagesServer(),
  modelAgainst,
  key: 'ANTHROPIC_API_KEY',
  url: 'ANTHROPIC_BASE_URL',
  passing: [
    ['a stream without message_stop', eventStream({ status: 'planned' }, { stopEarly: true }), null],
    ['a stream with a broken event', rawBody('event: message_start\ndata: {"type":\n\n', 'text/event-stream'), null],
    ['a stream with an error event', rawBody('event: error\ndata: {"error":{}}\n\n', 'text/event-stream'), null],
  ],
  spent: apiError(429, {
    type: 'rate_limit_error',
    headers: { 'retry-after': '1' },
    details: { error_code: 'enforced_spend_limit_reached' },
  }),
  rejected: [
    ['max_tokens', answers.maxTokens('{"status":"contin'), { fault: 'truncated', text: '{"status":"contin' }],
    ['a refusal', answers.refusal(), { fault: 'refused', text: '' }],
    ['empty content', answers.emptyContent(), { fault: 'empty', text: '' }],
    ['blank text', answers.message(' \n'), { fault: 'empty', text: ' \n' }],
    ['a tool_use block', answers.toolUse('{"status":"done"}'), { fault: 'tool_use', text: '{"status":"done"}' }],
    [
      'a full context',
      answers.message('{"sta', { stop_reason: 'model_context_window_exceeded' }),
      { fault: 'truncated', text: '{"sta' },
    ],
    ['a streamed max_tokens', eventStream('{"st', { stop_reason: 'max_tokens' }), { fault: 'truncated', text: '{"st' }],
  ],
});
