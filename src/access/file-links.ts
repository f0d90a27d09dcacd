import { z } from 'zod';
import { createSeal } from '../lib/seal.ts';
import type { FileLinks } from './port.ts';

/** The path of the page that links lead to. */
export const FILE_LINK_PATH = '/v1/file-links/';

/** How long a link opens its file, in milliseconds. */
const LINK_MS = 7 * 24 * 3_600_000;

const Linked = z.object({ owner: z.string(), session_id: z.string(), path: z.string(), expires_at: z.number() });

/** The purpose that links are sealed for. */
const PURPOSE = 'file';

interface Parts {
  /** The operator's keys: the first seals, each opens. */
  secrets: readonly string[];
  /** Where browsers reach the service, without a slash at its end. */
  publicUrl: string;
  now(): number;
}

/**
 * Creates the links by which browsers get files without a key. What a link is for is sealed in it, so nobody can read,
 * change or make one, and nothing is stored.
 */
export const createFileLinks = ({ secrets, publicUrl, now }: Parts): FileLinks => {
  const seal = createSeal(secrets, 'file-link');
  return {
    linkTo: ({ owner, session_id, path }) => {
      const linked = { owner, session_id, path, expires_at: now() + LINK_MS };
      return `${publicUrl}${FILE_LINK_PATH}${seal.seal(PURPOSE, JSON.stringify(linked))}`;
    },
    fileOf: (link) => {
      const opened = seal.open(PURPOSE, link);
      if (opened === null) return null;
      const { expires_at, ...file } = Linked.parse(JSON.parse(opened.text));
      return expires_at > now() ? file : null;
    },
  };
};
