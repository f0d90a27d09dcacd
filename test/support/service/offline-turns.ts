import { pino } from 'pino';
import type { TurnView } from '../../../contracts/turn-view.ts';
import { buildApp } from '../../../src/app/app.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { never } from '../engine/test-session.ts';
import { databaseSetting } from '../postgres/database-of.ts';

/**
 * Runs one turn in each of the named sessions with the offline model, in this process, and leaves the data folder to
 * the test.
 */
export const offlineTurns = async (dataDir: string, inputs: Record<string, string>): Promise<TurnView[]> => {
  const config = loadConfig({
    TRIPACT_DATA_DIR: dataDir,
    TRIPACT_MODEL: 'offline',
    ...(await databaseSetting(dataDir)),
  });
  const { engine, close } = await buildApp({ config, log: pino({ level: 'silent' }), version: '0.0.0-test' });
  try {
    const turns: TurnView[] = [];
    for (const [session_id, input] of Object.entries(inputs)) {
      const { turn } = await engine.submit({ owner: 'local', session_id, input });
      turns.push(await engine.wait('local', turn.id, never));
    }
    return turns;
  } finally {
    await close();
  }
};
