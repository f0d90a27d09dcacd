import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The folder with the console of the current sources, built if necessary. */
export const keptBuild = async (): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['.ci/build-console.ts']);
  return stdout.trim();
};
