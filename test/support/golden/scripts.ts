import { workScripts } from './completed-tasks.ts';
import { failureScripts } from './failures.ts';
import { restScripts } from './paused-tasks.ts';
import { type GoldenSession, goldenSession } from './session.ts';
import { peopleScripts } from './user-actions.ts';

const scripts: Record<string, (session: GoldenSession) => void> = {
  ...workScripts,
  ...failureScripts,
  ...restScripts,
  ...peopleScripts,
};

/** The names of all golden scripts, which are those of their files in test/traces. */
export const goldenNames: readonly string[] = Object.keys(scripts);

/** Plays one golden script through the machine. */
export const playGolden = (name: string): GoldenSession => {
  const session = goldenSession(name);
  scripts[name]!(session);
  return session;
};
