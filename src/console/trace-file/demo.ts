import { navigate, TRACE } from '../state/route.ts';
import trace from './demo-task.jsonl?raw';
import { keepFile } from './kept-file.ts';

/** The entry at which the task asks whether it may pay. */
const ASKS_AT = 15;

/** A recorded task as a trace file: it needs no model, no key and nothing of the service. */
export const demoFile = (): File => new File([trace], 'demo-task.jsonl', { type: 'application/x-ndjson' });

/** Shows it at its question. */
export const openDemo = async (): Promise<void> => {
  await keepFile(demoFile());
  navigate(`${TRACE}?seq=${ASKS_AT}`);
};
