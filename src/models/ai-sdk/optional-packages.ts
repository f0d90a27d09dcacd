import { findPackageJSON } from 'node:module';

/** The packages that people install only for models of the AI SDK. */
export const AI_SDK = 'ai';
export const OPENAI_COMPATIBLE = '@ai-sdk/openai-compatible';

const isInstalled = (name: string): boolean => {
  try {
    return findPackageJSON(name, import.meta.url) !== undefined;
  } catch {
    return false;
  }
};

/** What is wrong when one of these packages is not installed, with the one command that installs them; null when all are. Loads none. */
export const missingPackages = (names: readonly string[], installed = isInstalled): string | null =>
  names.every(installed) ? null : `${names.join(' and ')} must be installed: npm install ${names.join(' ')}`;
