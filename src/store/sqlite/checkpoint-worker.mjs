// Runs in a thread of its own. Plain JavaScript under one name in a checkout and in the published package, for a thread is begun by its file's path.
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/** @type {{ path: string, pagesLeft: number, everyMs: number }} */
const { path, pagesLeft, everyMs } = workerData;
const db = new Database(path, { fileMustExist: true });
const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');

/** Copies what no reader still needs; gives the pages of the log that are left to copy. */
const pagesAfterCheckpoint = () => {
  const { log, checkpointed } = checkpoint.get();
  parentPort.postMessage({ log });
  return log - checkpointed;
};

let isStopping = false;
const stopped = once(parentPort, 'message').then(() => {
  isStopping = true;
});

while (!isStopping && pagesAfterCheckpoint() > pagesLeft) {
  let timer;
  const later = new Promise((resolve) => {
    timer = setTimeout(resolve, everyMs);
  });
  await Promise.race([later, stopped]);
  clearTimeout(timer);
}
db.close();
parentPort.close();
