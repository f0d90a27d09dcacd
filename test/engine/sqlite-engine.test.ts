import { openSqliteEngine } from '../support/engine-sqlite.ts';
import { itCancels } from './engine-contract-cancelling.ts';
import { itRoutesInputs } from './engine-contract-routing.ts';

itRoutesInputs(openSqliteEngine);
itCancels(openSqliteEngine);
