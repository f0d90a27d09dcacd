import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import {
  createPlanVersions,
  firstShown,
  type PlanVersion,
  VERSIONS_SHOWN,
} from '../../src/console/task/plan-versions.ts';
import { goldenLines } from '../support/golden/files.ts';

const many: PlanVersion[] = Array.from({ length: 3_000 }, (_, i) => ({ seq: i * 10, at: '', by: 'replan', index: i }));

describe('the versions of a plan', () => {
  it('are those that an entry made, without the replan that ends the task', () => {
    const entries = goldenLines('two-items-with-tools') as unknown as TraceEntry[];
    expect(createPlanVersions(entries)().map(({ seq, by }) => `${seq} ${by}`)).toEqual(['2 plan', '6 replan']);
  });

  it('are drawn from the newest on, also when there are more of them', () => {
    expect(firstShown(many, null, null)).toBe(3_000 - VERSIONS_SHOWN);
    expect(firstShown(many.slice(0, 5), null, null)).toBe(0);
    expect(firstShown([], null, 7)).toBe(0);
  });

  it('are drawn around the one that is looked at, and stay where it is among them already', () => {
    const start = firstShown(many, null, 5_004);
    expect(many.slice(start, start + VERSIONS_SHOWN).some(({ seq }) => seq === 5_000)).toBe(true);
    expect(firstShown(many, start, 5_030)).toBe(start);
    expect(firstShown(many, start, 0)).toBe(0);
    expect(firstShown(many, 40, null)).toBe(40);
  });
});
