import { ServiceError } from './errors.ts';

const isMissing = (error: unknown, name: string): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'ERR_MODULE_NOT_FOUND' &&
  error.message.includes(`'${name}`);

/** Loads what stands on a package that not everybody installs. Null where the package is missing. */
export const loadOptional = async <Module>(name: string, load: () => Promise<Module>): Promise<Module | null> => {
  try {
    return await load();
  } catch (error) {
    if (isMissing(error, name)) return null;
    throw error;
  }
};

/** The same for what can't be done without: throws `CONFIG_INVALID` with the command that installs the package. */
export const loadRequired = async <Module>(
  name: string,
  usedBy: string,
  load: () => Promise<Module>,
): Promise<Module> => {
  const loaded = await loadOptional(name, load);
  if (loaded === null)
    throw new ServiceError('CONFIG_INVALID', `${usedBy}: install its package by: npm install ${name}`);
  return loaded;
};
