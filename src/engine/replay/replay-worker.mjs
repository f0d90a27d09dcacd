import { parentPort, workerData } from 'node:worker_threads';
import { parseNdjson } from './parse-ndjson.ts';
import { replay } from './replay.ts';

const tasks = new Set();

async function* entries() {
  for await (const entry of parseNdjson([workerData])) {
    if (typeof entry?.task_id === 'string') tasks.add(entry.task_id);
    yield entry;
  }
}

try {
  const result = await replay(entries());
  parentPort.postMessage({ replayed: { result, tasks: [...tasks] } });
} catch (error) {
  if (error?.code !== 'TRACE_NOT_READABLE') throw error;
  parentPort.postMessage({ error: { code: error.code, message: error.message } });
}
