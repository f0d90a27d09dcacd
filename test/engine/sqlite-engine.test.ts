import { openSqliteEngine } from '../support/engine-sqlite.ts';
import { itCancels } from './engine-contract-cancelling.ts';
import { itRunsCommands } from './engine-contract-commands.ts';
import { itPerformsEffects } from './engine-contract-effects.ts';
import { itRecovers } from './engine-contract-recovery.ts';
import { itResumes } from './engine-contract-resuming.ts';
import { itRoutesInputs } from './engine-contract-routing.ts';
import { itKeepsTheTrace } from './engine-contract-trace.ts';
import { itKeepsTurns } from './engine-contract-turns.ts';

itRoutesInputs(openSqliteEngine);
itRunsCommands(openSqliteEngine);
itResumes(openSqliteEngine);
itCancels(openSqliteEngine);
itPerformsEffects(openSqliteEngine);
itRecovers(openSqliteEngine);
itKeepsTurns(openSqliteEngine);
itKeepsTheTrace(openSqliteEngine);
