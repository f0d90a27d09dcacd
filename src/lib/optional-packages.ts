import { findPackageJSON } from 'node:module';

/** True if an optional package is installed. Loads nothing. */
export const isInstalled = (name: string): boolean => {
  try {
    return findPackageJSON(name, import.meta.url) !== undefined;
  } catch {
    return false;
  }
};

/** A message with the command that installs the missing ones of these packages; null: all are installed. Loads none. */
export const missingPackages = (names: readonly string[]): string | null =>
  names.every(isInstalled) ? null : `${names.join(' and ')} must be installed: npm install ${names.join(' ')}`;
