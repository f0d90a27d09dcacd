import { createScriptedModel, type ScriptedAnswer } from '../../../src/models/scripted.ts';
import type { OutsideTool } from '../../../src/tools/port.ts';
import { controlledTool } from './controlled-tools.ts';
import { acts, plans } from './model-answers.ts';
import type { EngineSetup, OpenEngine } from './test-engine.ts';
import { sessionOf } from './test-session.ts';

interface DiggingSetup extends Omit<EngineSetup, 'model' | 'tools'> {
  effect?: OutsideTool['effect'];
}

/** An engine whose session is in the first tool call of its first task; `then` are the model's answers after it. */
export const digging = async (open: OpenEngine, then: ScriptedAnswer[], { effect, ...setup }: DiggingSetup = {}) => {
  const controlled = controlledTool('dig', effect && { effect });
  const model = createScriptedModel([plans('Dig'), acts('dig'), ...then]);
  const opened = await open({ ...setup, model, tools: [controlled.tool] });
  const session = sessionOf(opened.engine);
  const first = await session.send('Dig a hole');
  return { controlled, model, opened, engine: opened.engine, session, first, call: await controlled.called(1) };
};
