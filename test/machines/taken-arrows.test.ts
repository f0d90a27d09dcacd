import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createArrowTracer, pathOf, possibleArrows, statesOf, taskArrows } from '../../machines/arrows.ts';
import { taskMachine } from '../../machines/task-machine.ts';
import { createTraceFold } from '../../src/history/trace.ts';
import { goldenLines, goldenNames } from '../support/golden/files.ts';

describe('the arrows of the task machine', () => {
  it('have an id each', () => {
    const ids = taskArrows().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('open.working.outer.gate always 0');
  });

  it.each([...goldenNames])(
    'that %s takes lead without a gap from the state before each event to the one after',
    (name) => {
      const trace = createTraceFold((text) => hash('sha256', text));
      const arrowsTaken = createArrowTracer();
      for (const line of goldenLines(name)) {
        const folded = trace.fold(line);
        if (!folded.ok) throw new Error(folded.message);
        const { entry, before, step } = folded;
        if (entry.task_id === null || step === null) continue;
        let at = before === null ? 'opened' : before.state;
        const taken = arrowsTaken(before, entry.event);
        if (before !== null)
          expect(possibleArrows(before)).toContainEqual(expect.objectContaining({ id: taken[0]!.id }));
        for (const { from, to } of taken) {
          const inside = statesOf(from).map(({ key }) => key);
          expect(inside).toContain(at);
          at = (to ?? { key: at }).key as typeof at;
        }
        expect(at).toBe(step.task.state);
      }
    },
  );

  it('name states of the machine', () => {
    const paths = new Set(statesOf(taskMachine.root).map(pathOf));
    for (const { from, to } of taskArrows()) {
      expect(paths).toContain(pathOf(from));
      if (to !== null) expect(paths).toContain(pathOf(to));
    }
  });
});
