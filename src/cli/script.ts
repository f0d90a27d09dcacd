import { basename } from 'node:path';
import type { ScriptModel } from '../app/script-model.ts';
import { wrongUsage } from './failure.ts';
import { jsonIn } from './json-file.ts';

/**
 * The model that answers from a script's file, which is read again for each request, so that it may be changed while a
 * task waits. Throws `CommandFailure` for a file that is no script.
 */
export const scriptModelOf = async (path: string): Promise<ScriptModel> => {
  const [{ readScript }, { createScriptModel }] = await Promise.all([
    import('../app/script-file.ts'),
    import('../app/script-model.ts'),
  ]);
  const read = async () => {
    const json = await jsonIn('--script', path);
    try {
      return readScript(json);
    } catch (error) {
      if (error instanceof RangeError) throw wrongUsage(`--script ${path}: ${error.message}`);
      throw error;
    }
  };
  void (await read());
  return createScriptModel(read, basename(path));
};
