import type { SentPrompt } from '../../contracts/model-call.ts';
import type { TaskContext } from '../../contracts/task.ts';
import type { ModelRequest } from '../../src/models/port.ts';
import { promptFor } from '../../src/models/prompt/prompt.ts';
import { promptTexts } from '../../src/models/prompt/prompt-text.ts';
import type { Voice } from '../../src/models/prompt/rules.ts';

/** Friday afternoon in Shanghai. */
export const FRIDAY = Date.UTC(2025, 10, 21, 7, 4, 5);

/** The tools of a request. */
export const TOOLS = [
  { name: 'todo', description: 'Keeps todos.', usage: 'add <text>\ndone <id>' },
  { name: 'search', description: 'Searches the web.', usage: '<words>' },
];

/** The executors of a request. */
export const EXECUTORS = [
  { name: 'default', description: 'Every tool.', prompt: null },
  { name: 'coding_agent', description: 'Writes code.', prompt: 'You write small programs.' },
];

/** A request as the engine would make it of that task, with two tools and two executors. */
export const requestFor = (
  contract: ModelRequest['contract'],
  task: TaskContext,
  rest: Partial<ModelRequest> = {},
): ModelRequest => ({
  contract,
  effect_id: 'task_1.1',
  task,
  item_id: contract === 'thought' ? (task.plan_items[task.current_plan_index]?.id ?? null) : null,
  may: contract === 'thought' ? ['continue', 'ask_user', 'done'] : [],
  tools: TOOLS,
  executors: EXECUTORS,
  instructions: null,
  now: FRIDAY,
  timezone: 'Asia/Shanghai',
  ...rest,
});

/** The prompt of a request, each text in one string. */
export const readPrompt = (request: ModelRequest, voice: Voice = 'native'): SentPrompt =>
  promptTexts(promptFor(request, voice));
