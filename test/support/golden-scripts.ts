import { failureScripts } from './golden-failures.ts';
import { peopleScripts } from './golden-people.ts';
import { restScripts } from './golden-rests.ts';
import { type GoldenSession, goldenSession } from './golden-session.ts';
import { workScripts } from './golden-work.ts';

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
