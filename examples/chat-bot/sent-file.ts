/** A file that a user sent, as the inbox keeps it: the platform has its bytes until the message goes to Tripact. */
export interface SentFile {
  /** The user's name for it; null: the platform says none. */
  name: string | null;
  /** In bytes; null: the platform does not say. */
  size: number | null;
  /** By which its platform finds it. */
  ref: Record<string, string>;
}

/** The files of a message, and whether it had more than the bot takes. */
export interface SentFiles {
  files: SentFile[];
  hasOthers: boolean;
}

/** Largest file that Tripact takes, in bytes. Telegram gives bots no larger one either. */
const BYTES_MAX = 20 * 1024 * 1024;

/** Files of one message that Tripact takes. */
const FILES_MAX = 10;

/** Longest that a download may take, in milliseconds. */
const DOWNLOAD_MS_MAX = 60_000;

/** Leaves out what is too large or too many; `hasOthers` where the message has something that is no file at all. */
export const takenOf = (files: readonly SentFile[], hasOthers: boolean): SentFiles => {
  const taken = files.filter(({ size }) => size === null || size <= BYTES_MAX).slice(0, FILES_MAX);
  return { files: taken, hasOthers: hasOthers || taken.length < files.length };
};

/** Reads a file to its end. Throws where it is larger than Tripact takes, before it is in memory. */
export const readFile = async (chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> => {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > BYTES_MAX) throw new Error('the file is larger than 20 MB');
    read.push(chunk);
  }
  return new Uint8Array(Buffer.concat(read));
};

/** Downloads a file. Throws where it is not there, or larger than Tripact takes. */
export const download = async (url: string, headers: Record<string, string> = {}): Promise<Uint8Array<ArrayBuffer>> => {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(DOWNLOAD_MS_MAX) });
  if (!response.ok || response.body === null) throw new Error(`the download is answered with ${response.status}`);
  return readFile(response.body);
};
