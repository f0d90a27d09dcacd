// A process that sends one command and waits for its report, to be killed meanwhile: `node coding-agent-caller.ts <bridge>`.
import { pino } from 'pino';
import { createCodingAgent } from '../../src/tools/coding-agent/coding-agent.ts';
import { taskCall } from '../support/tools/task-call.ts';

const [bridgeDir = ''] = process.argv.slice(2);
const { tool } = createCodingAgent({
  bridgeDir,
  timeoutMs: 600_000,
  days: null,
  service: 'tested',
  log: pino({ level: 'silent' }),
});
console.log('calling');
await tool.run('Greet the world', taskCall({ task_id: 'task_a', effect_id: 'task_a.1', executor: 'coding_agent' }));
