import { openSqliteEngine } from '../support/engine-sqlite.ts';
import { itRoutesInputs } from './engine-contract-routing.ts';

itRoutesInputs(openSqliteEngine);
