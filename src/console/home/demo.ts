import { navigate, TRACE } from '../state/route.ts';
import { keepFile } from '../trace-file/kept-file.ts';
import trace from './demo-task.jsonl?raw';

/** The entry at which the task asks whether it may pay. */
const ASKS_AT = 15;

/** Shows a recorded task at its question, as a trace file: it needs no model, no key and nothing of the service. */
export const openDemo = async (): Promise<void> => {
  await keepFile(new File([trace], 'demo-task.jsonl', { type: 'application/x-ndjson' }));
  navigate(`${TRACE}?seq=${ASKS_AT}`);
};
