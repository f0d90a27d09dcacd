/**
 * Stores a file for a turn and dies before the turn is: `node store-and-die.ts <data folder> <session> <name> <text>`.
 */
import pino from 'pino';
import { createAlone } from '../../../src/workspace/attached/place-files.ts';
import { createTurnFiles } from '../../../src/workspace/attached/turn-files.ts';
import { createWorkspaces } from '../../../src/workspace/folder.ts';
import type { Within } from '../../../src/workspace/port.ts';

const [dataDir = '', session_id = '', name = '', text = ''] = process.argv.slice(2);
const workspaceOf = createWorkspaces(dataDir);
const within: Within = (_session, _signal, work) => work(workspaceOf);
const files = createTurnFiles({
  dataDir,
  within,
  alone: createAlone(within),
  quota: { bytes: 1_000_000, files: 100 },
  hasTurn: async () => false,
  log: pino({ level: 'silent' }),
});
const session = { owner: 'local', session_id };
const sent = [{ name, data: Buffer.from(text).toString('base64') }];
await files.store(session, 'turn_of_nobody', await files.check(session, sent));
process.kill(process.pid, 'SIGKILL');
