import { openSqliteEngine } from '../support/engine-sqlite.ts';
import { itCancels } from './engine-contract-cancelling.ts';
import { itRunsCommands } from './engine-contract-commands.ts';
import { itResumes } from './engine-contract-resuming.ts';
import { itRoutesInputs } from './engine-contract-routing.ts';

itRoutesInputs(openSqliteEngine);
itRunsCommands(openSqliteEngine);
itResumes(openSqliteEngine);
itCancels(openSqliteEngine);
