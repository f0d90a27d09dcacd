import { describe, expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { controlledTool } from '../support/engine/controlled-tools.ts';
import { acts, asking, concludes, finishes, plans } from '../support/engine/model-answers.ts';
import { type OpenedEngine, openEngine } from '../support/engine/open-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

const COMMANDS = ['/status', '/help', '/nonsense', '/', '/plan', '/todo list', '/resume', '/continue', '/plan drop 99'];

/** Every byte that the store has of tasks. */
const storedTasks = ({ db }: OpenedEngine): unknown =>
  ['tasks', 'entries', 'snapshots'].map((table) => db.prepare(`SELECT * FROM ${table} ORDER BY rowid`).raw().all());

describe('What the store has of a task', () => {
  it('is the same to the byte after slash commands while it runs', async () => {
    const controlled = controlledTool('dig');
    const model = createScriptedModel([plans('Dig'), acts('dig'), finishes(), concludes('Dug')]);
    const opened = await openEngine({ model, tools: [controlled.tool] });
    const session = sessionOf(opened.engine);
    const first = await session.send('Dig a hole');
    const call = await controlled.called(1);
    const before = storedTasks(opened);
    for (const input of COMMANDS) expect(await session.ask(input)).toMatchObject({ status: 'ran' });
    expect(storedTasks(opened)).toEqual(before);
    call.gives('a hole');
    expect(await session.reply(first)).toMatchObject({ output: 'Dug' });
  });

  it('is the same to the byte after slash commands while it waits, and while it is paused', async () => {
    const model = createScriptedModel([...asking('Which colour?'), concludes('Painted')]);
    const opened = await openEngine({ model, limits: { max_steps: 1 } });
    const session = sessionOf(opened.engine);
    await session.ask('Paint');
    const waiting = storedTasks(opened);
    for (const input of COMMANDS) await session.ask(input);
    expect(storedTasks(opened)).toEqual(waiting);
    expect(await session.ask('Red')).toMatchObject({ status: 'paused' });
    const paused = storedTasks(opened);
    for (const input of COMMANDS.filter((each) => !['/resume', '/continue'].includes(each))) await session.ask(input);
    expect(storedTasks(opened)).toEqual(paused);
    expect(await session.ask('continue')).toMatchObject({ output: 'Painted' });
  });
});
