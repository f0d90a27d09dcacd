import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { createTurnSpan } from '../../src/projections/narrator.ts';
import { goldenLines } from '../support/golden/files.ts';

/** The places of a golden trace's entries to one of its turns, by event. */
const placesOf = (name: string, turnId: string): string[] => {
  const placeOf = createTurnSpan(turnId);
  return (goldenLines(name) as unknown as TraceEntry[]).map((entry) => `${placeOf(entry)} ${entry.event.type}`);
};

const within = (places: string[]): string[] => places.filter((place) => !place.startsWith('outside'));

describe('a turn in its session', () => {
  it('reaches from where its task is opened to the question', () => {
    const places = within(placesOf('ask-and-answer', 'turn_1'));
    expect([places[0], places.at(-1)]).toEqual(['inside task.opened', 'last thought.made']);
    expect(places.filter((place) => place.startsWith('last'))).toHaveLength(1);
  });

  it('reaches from the answer to the end of the task', () => {
    const places = within(placesOf('ask-and-answer', 'turn_2'));
    expect([places[0], places.at(-1)]).toEqual(['inside answer.received', 'last replan.made']);
    expect(places.filter((place) => place.startsWith('last'))).toHaveLength(1);
  });

  it('that cancels is one entry', () => {
    const [cancel] = (goldenLines('cancelled-while-running') as unknown as TraceEntry[]).filter(
      ({ event }) => event.type === 'task.cancelled',
    );
    const { turn_id } = cancel!.event as { turn_id: string };
    expect(within(placesOf('cancelled-while-running', turn_id))).toEqual(['last task.cancelled']);
  });

  it('that went into no task has no entries', () => {
    expect(within(placesOf('ask-and-answer', 'turn_none'))).toEqual([]);
  });
});
