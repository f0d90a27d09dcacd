import { afterAll, vi } from 'vitest';
import type { Language } from '../../src/console/text/language.ts';

/** Loads the console's texts where there is no browser; the returned function changes their language. */
export const consoleLanguage = async (): Promise<(chosen: Language) => void> => {
  afterAll(() => void vi.unstubAllGlobals());
  vi.stubGlobal('location', { search: '' });
  vi.stubGlobal('document', { documentElement: {} });
  const { language } = await import('../../src/console/text/language.ts');
  return (chosen) => {
    language.value = chosen;
  };
};
