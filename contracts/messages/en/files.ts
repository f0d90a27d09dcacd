/** What the files tool reports. */
export const files = {
  list: (count: number, bytes: number) => `Files: ${count}, ${bytes} bytes in all`,
  emptyList: 'There are no files.',
  line: (path: string, bytes: number, modified: string) => `${path}  ${bytes} bytes  ${modified}`,
  noSuchPage: (page: number, pages: number) => `There is no page ${page}: the list has ${pages}.`,
  nextPage: (page: number, pages: number) => `(page ${page} of ${pages}; for the next one: --page ${page + 1})`,
  notAllSeen: '(There is more in this folder than is looked at.)',
  empty: (path: string) => `${path} is empty.`,
  noSuchLine: (path: string, line: number, lines: number) => `${path} has no line ${line}: it has ${lines}.`,
  part: (path: string, from: number, to: number, lines: number) => `(${path}: lines ${from} to ${to} of ${lines})`,
  nextLine: (path: string, line: number) => `(to read on: /files read ${path} --line ${line})`,
  lineCut: (line: number, chars: number) => `(line ${line} is cut: it has ${chars} characters)`,
  onlyBeginning: (path: string, bytes: number) => `(${path} has ${bytes} bytes; only its beginning can be read)`,
  changed: {
    write: (path: string, bytes: number) => `Wrote ${path}: it has ${bytes} bytes.`,
    append: (path: string, bytes: number) => `Appended to ${path}: it has ${bytes} bytes now.`,
    replace: (path: string, bytes: number) => `Replaced the passage in ${path}: it has ${bytes} bytes now.`,
    delete: (path: string, _bytes: number) => `Deleted ${path}.`,
  },
  missingPath: 'The path is missing.',
  missingText: 'The text is missing; for an empty one write "".',
  missingPassages: 'Give the old passage and the new one, each in quotes.',
  passageNotFound: (path: string) => `${path} does not have this passage.`,
  passageNotUnique: (path: string, count: number, isCut: boolean) =>
    `${path} has this passage ${count} times${isCut ? ' or more' : ''}: give more of what stands around it.`,
  refused: {
    invalid_path: (path: string, _max: number) =>
      `"${path}" is no path of a file here: give names with / between, such as notes/today.md, without "..".`,
    service_file: (path: string, _max: number) => `${path} is kept by the service: it can be read, not changed.`,
    not_found: (path: string, _max: number) => `There is no ${path}.`,
    not_a_file: (path: string, _max: number) => `${path} is not a plain file.`,
    not_text: (path: string, _max: number) => `${path} is not a text file.`,
    file_too_large: (path: string, max: number) =>
      `${path} would be, or is, larger than ${max} bytes, the most for one file.`,
    session_full: (_path: string, _max: number) =>
      'The files of this session take all the space that they may: delete some first.',
    too_many_files: (_path: string, _max: number) => 'This session has as many files as it may: delete some first.',
    changed_meanwhile: (path: string, _max: number) =>
      `${path} was changed by something else while this was interrupted, so it is not known whether it was done: read it first.`,
  },
};
