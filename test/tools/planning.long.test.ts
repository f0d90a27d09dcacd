import { describe, expect, it } from 'vitest';
import { NAMED_PLANS_MAX } from '../../contracts/limits.ts';
import { openPlanning } from './planning-session.ts';

const TRIP = 'create trip --title Trip to Kyoto --steps "Book flights" "Book a hotel" Pack';

describe('a named plan', () => {
  it('keeps the status and notes of every step whose text is unchanged by an update, even of one that moved', () => {
    const { run, planOf } = openPlanning();
    run(TRIP);
    run('mark trip 1 completed');
    run('mark trip 3 blocked --notes no suitcase');
    run('update trip --steps Pack "Book flights" "Book a hostel"');
    expect(planOf('trip').steps).toEqual([
      { step: 'Pack', status: 'blocked', notes: 'no suitcase' },
      { step: 'Book flights', status: 'completed', notes: null },
      { step: 'Book a hostel', status: 'not_started', notes: null },
    ]);
  });

  it('keeps its steps when only the title is updated, and its title when only the steps are', () => {
    const { run, planOf } = openPlanning();
    run(TRIP);
    run('update trip --title To Nara');
    run('update trip --steps Pack');
    expect(planOf('trip')).toMatchObject({ title: 'To Nara', steps: [{ step: 'Pack' }] });
  });

  it('belongs to its owner and session alone', () => {
    const { run } = openPlanning();
    run(TRIP);
    for (const other of [{ owner: 'anna' }, { session_id: 's2' }]) {
      expect(run('get trip', other)).toMatchObject({ ok: false });
      expect(run('list', other)).toEqual({ ok: true, result: 'No plans.' });
      expect(run(TRIP, other).ok).toBe(true);
    }
    run('delete trip', { owner: 'anna' });
    expect(run('get trip').ok).toBe(true);
  });
});

describe('the active plan', () => {
  it('is the one made last, or the one chosen, and is meant when none is named', () => {
    const { run } = openPlanning();
    run(TRIP);
    run('create work --steps Write "Send it"');
    expect(run('mark 2 completed').result).toContain('2. [✓] Send it');
    expect(run('set_active trip').result).toContain('Plan: Trip to Kyoto (ID: trip, active)');
    expect(run('get').result).toContain('ID: trip, active');
    expect(run('list').result).toBe(
      'Plans (2)\n* trip: Trip to Kyoto, 0/3 steps completed (0.0%)\n  work: work, 1/2 steps completed (50.0%)',
    );
  });
});

it(`a session has at most ${NAMED_PLANS_MAX} plans`, () => {
  const { run } = openPlanning();
  for (let n = 1; n <= NAMED_PLANS_MAX; n++) run(`create p${n} --steps a`);
  expect(run('create more --steps a').result).toContain('too many plans');
  expect(run('list').result).toContain(`Plans (${NAMED_PLANS_MAX})`);
});
