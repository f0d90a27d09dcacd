import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createScriptedModel, type ScriptedAnswer } from '../../src/models/scripted.ts';
import { PlanFile } from '../../src/projections/plan-file.ts';
import { createWorkspaces } from '../../src/workspace/folder.ts';
import { createMirror } from '../../src/workspace/mirror.ts';
import { controlledTool } from '../support/engine/controlled-tools.ts';
import { acts, asks, concludes, finishes, plans, replans, straight } from '../support/engine/model-answers.ts';
import { freshDataDir, type OpenedSetup, openEngine } from '../support/engine/open-engine.ts';
import { never, sessionOf } from '../support/engine/test-session.ts';

/** A session of an engine whose folder mirrors its task. */
const mirrored = async (
  script: ScriptedAnswer[],
  more: Partial<OpenedSetup> = {},
  onEventRead: (seq: number) => void = () => {},
) => {
  const dataDir = freshDataDir();
  const folder = join(dataDir, 'workspace', '.sessions', 's1');
  const lines: string[] = [];
  const mirror = createMirror({
    workspaceOf: createWorkspaces(dataDir),
    log: pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }),
    eventsOf: async function* (taskId) {
      for await (const entry of opened.engine.taskEvents(taskId)) {
        onEventRead(entry.seq);
        yield entry;
      }
    },
  });
  const opened = await openEngine({
    dataDir,
    model: createScriptedModel(script),
    onTaskMoved: (...moved) => mirror.note(...moved),
    filesShown: (session) => mirror.shown(session),
    ...more,
  });
  const planFile = (): PlanFile => PlanFile.parse(JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8')));
  const missionFile = (): string => readFileSync(join(folder, 'MISSION.md'), 'utf8');
  return { opened, mirror, session: sessionOf(opened.engine), folder, planFile, missionFile, lines };
};

const stepsOf = ({ steps }: PlanFile): string[] => steps.map(({ description, status }) => `${description}: ${status}`);

describe('plan.json', () => {
  it('is not there for a turn that needs no tool', async () => {
    const { session, mirror, folder } = await mirrored([
      plans(),
      finishes(),
      ...straight('Hi').slice(2),
      plans('Dig'),
      asks('How deep?'),
    ]);
    await session.ask('Hello');
    expect(existsSync(folder)).toBe(false);
    await session.ask('Dig');
    // A step was begun, which a person may read about.
    await mirror.stop();
    expect(readdirSync(folder)).toEqual(['MISSION.md']);
  });

  it('is as the reply says when the reply goes out: waiting, paused, completed', async () => {
    const script = [plans('Dig', 'Fill'), acts('tally'), asks('How deep?'), replans('Dig', 'Fill'), finishes('a hole')];
    const { session, mirror, planFile, folder } = await mirrored([...script, concludes('Done')], {
      limits: { max_steps: 5 },
    });
    await session.ask('Garden');
    expect(planFile()).toMatchObject({ goal: 'Garden', status: 'paused', current_step_index: 0 });
    const paused = await session.ask('Knee-deep');
    expect(paused.status).toBe('paused');
    expect(planFile()).toMatchObject({ id: paused.task_id, status: 'paused', current_step_index: 1 });
    expect(stepsOf(planFile())).toEqual(['Dig: completed', 'Fill: pending']);
    await session.ask('continue');
    expect(planFile()).toMatchObject({ status: 'completed', steps: [{ result: 'a hole' }, {}] });
    expect(stepsOf(planFile())).toEqual(['Dig: completed', 'Fill: failed']);
    expect((statSync(join(folder, 'plan.json')).mode & 0o777).toString(8)).toBe('600');
    await mirror.stop();
    expect(readdirSync(folder).sort()).toEqual(['MISSION.md', 'plan.json']);
  });

  it('of another task is left beside it, until that task goes on', async () => {
    const { session, mirror, planFile, folder } = await mirrored(
      [
        ...[plans('Old', 'Older'), acts('tally'), finishes()],
        ...[plans('New', 'Newer'), acts('tally'), finishes()],
        ...[replans('Older'), acts('tally'), finishes(), concludes('Aged')],
      ],
      { limits: { max_steps: 3 } },
    );
    const old = await session.ask('Old goal');
    const before = planFile();
    const recent = await session.ask('New goal');
    const left = (id: string | null): PlanFile =>
      PlanFile.parse(JSON.parse(readFileSync(join(folder, `plan.${id}.json`), 'utf8')));
    expect(planFile()).toMatchObject({ id: recent.task_id, status: 'paused' });
    expect(left(old.task_id)).toEqual(before);
    expect((statSync(join(folder, `plan.${old.task_id}.json`)).mode & 0o777).toString(8)).toBe('600');
    await session.ask(`/resume ${old.task_id}`);
    expect(planFile()).toMatchObject({ id: old.task_id });
    expect(left(recent.task_id)).toMatchObject({ goal: 'New goal', status: 'paused' });
    await mirror.stop();
    expect(readdirSync(folder).sort()).toEqual(['MISSION.md', 'plan.json', `plan.${recent.task_id}.json`]);
  });

  it('shows the task that runs, not the late result of another or the cancel of an older one', async () => {
    const controlled = controlledTool('dig');
    const { session, opened, planFile } = await mirrored(
      [
        ...[plans('Old', 'Older'), acts('tally'), finishes()],
        ...[plans('Dig'), acts('dig')],
        ...[plans('New'), acts('tally'), asks('Sure?')],
      ],
      { tools: [controlled.tool], limits: { max_steps: 3 } },
    );
    const old = await session.ask('Old goal');
    await session.send('Cancelled goal');
    const call = await controlled.called(1);
    await session.ask('/cancel');
    await session.ask('New goal');
    expect(planFile()).toMatchObject({ goal: 'New goal', status: 'paused' });
    call.gives('late');
    await opened.engine.cancel('local', old.task_id!);
    for await (const { event } of opened.engine.follow('local', 's1', 0, never))
      if (event.type === 'result.superseded') break;
    expect((await session.tasks()).map(({ state }) => state)).toEqual(['cancelled', 'cancelled', 'awaiting_user']);
    expect(planFile()).toMatchObject({ goal: 'New goal', status: 'paused' });
  });

  it('is logged where it cannot be written, and never stops the task', async () => {
    const { session, folder, lines } = await mirrored([plans('Dig'), acts('tally'), finishes(), concludes('Dug')]);
    mkdirSync(join(folder, 'plan.json', 'in-the-way'), { recursive: true });
    expect(await session.ask('Garden')).toMatchObject({ status: 'answered', output: 'Dug' });
    expect(lines.join()).toContain('the session folder cannot be written');
  });
});

describe('MISSION.md', () => {
  it('lives from the first step of a task that runs, is at most a second behind, and reads no event that it was given', async () => {
    const controlled = controlledTool('dig');
    const read: number[] = [];
    const { session, mirror, missionFile } = await mirrored(
      [
        plans('Dig', 'Fill'),
        acts('dig', 'here'),
        finishes('a hole'),
        replans('Fill'),
        acts('dig', 'there'),
        concludes('Dug'),
      ],
      { tools: [controlled.tool] },
      (seq) => read.push(seq),
    );
    await session.send('Garden');
    const first = await controlled.called(1);
    await expect.poll(() => missionFile()).toContain('Action: dig -> here');
    first.gives('dug');
    await controlled.called(2);
    await expect.poll(() => missionFile()).toContain('Action: dig -> there');
    expect(missionFile()).toMatch(/- \[✓\] Dig\n {2}a hole\n- \[→\] Fill\n/);
    expect(read).toEqual([]);
    await session.ask('/cancel');
    await mirror.stop();
    expect(missionFile()).toMatch(/cancelled/);
  });
});
