import type { FileView } from '../../../contracts/http.ts';
import type { TurnView } from '../../../contracts/turn-view.ts';

/** The files that the service writes as copies for people. */
const KEPT = /^(?:MISSION\.md|plan(?:\.[^/]+)?\.json)$/;

/** The files that a task wrote during a finished turn; never what its user sent. */
export const writtenIn = (
  files: readonly FileView[],
  { created_at, finished_at, files: sent = [] }: Pick<TurnView, 'created_at' | 'finished_at' | 'files'>,
): FileView[] => {
  if (finished_at === null) return [];
  const [from, to] = [Date.parse(created_at), Date.parse(finished_at)];
  return files.filter(({ path, modified_at }) => {
    const at = Date.parse(modified_at);
    return at >= from && at <= to && !KEPT.test(path) && sent.every((file) => file.path !== path);
  });
};
