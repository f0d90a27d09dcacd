import { type AttachedFile, type FileKinds, fileName } from '../../../contracts/file.ts';
import { FILE_PATH_CHARS_MAX } from '../../../contracts/limits.ts';
import type { FileBytes, FilesToShow, Prompt, PromptPart, ShownFile } from '../port.ts';
import { block, oneLine } from '../prompt/prompt-text.ts';

/** The content of a file as a part of its own. */
export interface Media {
  readonly name: string;
  readonly media_type: string;
  readonly bytes: FileBytes;
}

/** A piece of a prompt as it is sent: a text, or the content of a file. */
export interface FilledPart {
  readonly text: string;
  readonly media?: Media;
  readonly isStable?: true;
}

/** A prompt with the content of the files that it names. */
export interface FilledPrompt extends Omit<Prompt, 'user'> {
  readonly user: readonly FilledPart[];
}

const UNSEEN =
  "You can't look at it, as you take no files of this type. Say so to the user, and never guess what is in it.";

/** How to read the rest of a text of which the beginning is shown. */
const restText = ({ path }: AttachedFile, chars: number): string =>
  `\nOnly its first ${chars} characters are shown: read_result with the id "${oneLine(path, FILE_PATH_CHARS_MAX)}" and from ${chars} reads on.`;

/** The pieces behind a file's line. */
const contentOf = (file: AttachedFile, shown: ShownFile): { text: string } | { media: Media } => {
  const name = fileName(file);
  switch (shown.as) {
    case 'bytes':
      return { media: { name, media_type: file.media_type, bytes: shown.bytes } };
    case 'text': {
      const rest = shown.isWhole ? '' : restText(file, shown.text.length);
      return { text: `\nIts text:\n${block('given', { of: name }, shown.text)}${rest}` };
    }
    case 'gone':
      return { text: '\nIt is no longer stored.' };
    case 'unseen':
      return { text: `\n${UNSEEN}` };
    default:
      return shown satisfies never;
  }
};

/** A prompt with its files' content, for a model that takes these kinds. Each file is looked at once more for each call, and read when it is sent. */
export const fillPrompt = async (
  prompt: Prompt,
  files: FilesToShow | undefined,
  takes: FileKinds,
): Promise<FilledPrompt> => {
  const filled = async ({ file, ...part }: PromptPart): Promise<FilledPart[]> => {
    if (file === undefined) return [part];
    const shown: ShownFile = (await files?.show(file, takes)) ?? { as: 'unseen' };
    const content = contentOf(file, shown);
    return 'media' in content
      ? [part, { ...part, text: '', ...content }]
      : [{ ...part, text: part.text + content.text }];
  };
  return { ...prompt, user: (await Promise.all(prompt.user.map(filled))).flat() };
};

/** Consecutive texts as one, with the content of files between them. */
export const joinedTexts = (parts: readonly FilledPart[]): FilledPart[] => {
  const joined: FilledPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.media === undefined && last !== undefined && last.media === undefined)
      joined[joined.length - 1] = { text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
};
