import * as answers from '../support/anthropic/answers.ts';
import { modelAgainst } from '../support/anthropic/model.ts';
import { startMessagesServer } from '../support/anthropic/server.ts';
import { testFaults } from './model-faults.ts';

const { apiError } = answers;

testFaults({
  start: () => startMessagesServer(),
  modelAgainst,
  key: 'ANTHROPIC_API_KEY',
  url: 'ANTHROPIC_BASE_URL',
  passing: [],
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
    [
      "a server's own tool",
      answers.serverToolUse('{"status":"done"}'),
      { fault: 'tool_use', text: '{"status":"done"}' },
    ],
    [
      'a full context',
      answers.message('{"sta', { stop_reason: 'model_context_window_exceeded' }),
      { fault: 'truncated', text: '{"sta' },
    ],
  ],
});
