import { findPackageJSON } from 'node:module';

/** True where a package that not everybody installs is installed. Loads nothing. */
export const isInstalled = (name: string): boolean => {
  try {
    return findPackageJSON(name, import.meta.url) !== undefined;
  } catch {
    return false;
  }
};

/** A message with the one command that installs missing packages of these; null when all are there. Loads none. */
export const missingPackages = (names: readonly string[]): string | null =>
  names.every(isInstalled) ? null : `${names.join(' and ')} must be installed: npm install ${names.join(' ')}`;
