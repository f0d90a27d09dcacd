import { expect, it } from 'vitest';
import { createRecordedModel } from '../../src/rerun/recorded-model.ts';
import { readRecording } from '../../src/rerun/recording.ts';
import { goldenLines, goldenNames } from '../support/golden/files.ts';
import { rerunOffline } from '../support/rerun/rerun-offline.ts';

/** Histories with something that no rerun repeats: a crash, another machine, a quota. */
const NOT_REPEATED = ['crash-loop', 'machine-changed', 'model-unavailable-and-resume'];

const repeated = goldenNames.filter((name) => !NOT_REPEATED.includes(name));

it.each(repeated)(
  '%s runs again to the same outcome by the same entries, with the recorded answers of its models',
  async (name) => {
    const tasks = await readRecording(goldenLines(name));
    const report = await rerunOffline(tasks, { again: createRecordedModel(tasks) });
    const lanes = report.tasks.map(({ lanes: [, again] }) => again);
    expect(lanes.map((lane) => [lane?.same, lane?.ended, lane?.first_difference])).toEqual(
      tasks.map(() => [true, null, null]),
    );
  },
);
