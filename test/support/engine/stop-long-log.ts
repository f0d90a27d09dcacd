import Database from 'better-sqlite3';
import { watchLongLog } from '../../../src/store/sqlite/long-log.ts';

// Run as a process: stops while another thread copies a long log for a database, whose path it is given, and says so.
const path = process.argv[2]!;
const db = new Database(path);
db.pragma('journal_mode = WAL');
db.exec('CREATE TABLE filling (bytes)');
const reader = new Database(path, { readonly: true });
reader.exec('BEGIN');
reader.prepare('SELECT count(*) FROM filling').get();
const long = Promise.withResolvers<number>();
const log = watchLongLog(db, long.resolve);
for (let i = 0; i < 260; i++) db.exec('INSERT INTO filling VALUES (zeroblob(1048576))');
log.committed()?.();
const other = setInterval(() => {}, 1_000);
await long.promise;
clearInterval(other);
await log.stop();
console.log('stopped');
