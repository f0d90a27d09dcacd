import { pino } from 'pino';
import { expect, it } from 'vitest';
import { startService } from '../support/service/service.ts';

/** The log lines about prices of a starting service whose money is limited. */
const warnings = async (models: Record<string, { input: number; output: number }>, env: Record<string, string>) => {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line).msg);
  const log = pino({ level: 'warn' }, { write });
  await startService(
    [],
    { TRIPACT_MODEL: 'anthropic:m', ...env },
    { log, file: { prices: { currency: 'USD', models } } },
  );
  return lines.filter((line) => line.includes('prices'));
};

it('a start warns where money is limited and the model has no price', async () => {
  const price = { input: 1, output: 5 };
  const limit = { TRIPACT_MAX_TASK_COST: '2.50' };
  expect(await warnings({ other: price }, limit)).toEqual([
    expect.stringContaining('none for the model: a task pauses after its first call'),
  ]);
  expect(await warnings({ m: price }, limit)).toEqual([]);
  expect(await warnings({ other: price }, {})).toEqual([]);
});
