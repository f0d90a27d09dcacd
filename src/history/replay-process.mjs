import { parseNdjson } from './parse-ndjson.ts';
import { replay } from './replay.ts';

const tasks = new Set();

async function* entries() {
  for await (const entry of parseNdjson(process.stdin)) {
    if (typeof entry?.task_id === 'string') tasks.add(entry.task_id);
    yield entry;
  }
}

const answer = await replay(entries(), { skills: JSON.parse(process.argv[2] ?? '{}') }).then(
  (result) => ({ replayed: { result, tasks: [...tasks] } }),
  (error) => {
    if (error?.code !== 'TRACE_NOT_READABLE') throw error;
    return { error: { code: error.code, message: error.message } };
  },
);
process.stdout.write(JSON.stringify(answer));
