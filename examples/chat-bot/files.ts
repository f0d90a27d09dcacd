import type { SessionFile, Turn } from './tripact.ts';

/** Largest file that is sent, in bytes: what every platform takes from a bot, and little enough for memory. */
const FILE_BYTES_MAX = 10 * 1024 * 1024;

/** Files of one turn: more of them would bury the reply. */
const FILES_MAX = 5;

/** Tripact's own files in a session's folder. */
const OWN = /^(MISSION\.md|plan(\..+)?\.json)$/;

/** The files that a turn's tools wrote, as many as are sent; never what the user sent. */
export const writtenIn = ({ created_at, files: sent = [] }: Turn, files: readonly SessionFile[]): SessionFile[] =>
  files
    .filter(
      ({ path, size, modified_at }) =>
        !OWN.test(path) &&
        sent.every((file) => file.path !== path) &&
        size > 0 &&
        size <= FILE_BYTES_MAX &&
        modified_at >= created_at,
    )
    .slice(0, FILES_MAX);
