import { codingAgent } from './coding-agent.ts';
import { commandLine } from './command-line.ts';
import { commands } from './commands.ts';
import { controls } from './controls.ts';
import { files } from './files.ts';
import { mcp } from './mcp.ts';
import { missionFile } from './mission-file.ts';
import { modelReply } from './model-reply.ts';
import { models } from './models.ts';
import { namedPlans } from './named-plans.ts';
import { offline } from './offline.ts';
import { progress } from './progress.ts';
import { questions } from './questions.ts';
import { rejections } from './rejections.ts';
import { replies } from './replies.ts';
import { schedule } from './schedule.ts';
import { search } from './search.ts';
import { taskNotes } from './task-notes.ts';
import { terminal } from './terminal.ts';
import { todo } from './todo.ts';
import { toolCalls } from './tool-calls.ts';
import { toolInput } from './tool-input.ts';
import { usage } from './usage.ts';
import { validation } from './validation.ts';
import { when } from './when.ts';

/** Every message in English; its type is what every other language must have. */
export const english = {
  codingAgent,
  commandLine,
  commands,
  controls,
  files,
  mcp,
  missionFile,
  models,
  modelReply,
  namedPlans,
  offline,
  progress,
  questions,
  rejections,
  replies,
  schedule,
  search,
  terminal,
  taskNotes,
  todo,
  toolCalls,
  toolInput,
  usage,
  validation,
  when,
};
