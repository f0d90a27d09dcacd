/** Prints the text of a file: `node text-process.mjs <package that reads it> <file>`. The package decides about the file's type. */
import { readFile } from 'node:fs/promises';

/** Cells of a row on one line, each with what CSV quotes in quotation marks. */
const csvLine = (cells) =>
  cells
    .map((cell) => (cell instanceof Date ? cell.toISOString() : String(cell ?? '')))
    .map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',');

const READERS = {
  unpdf: async (bytes) => {
    const { extractText } = await import('unpdf');
    const { text } = await extractText(new Uint8Array(bytes));
    return text.map((page, i) => `[page ${i + 1}]\n${page}`).join('\n\n');
  },
  mammoth: async (buffer) => (await (await import('mammoth')).default.extractRawText({ buffer })).value,
  'read-excel-file': async (bytes) => {
    const { default: readSheets } = await import('read-excel-file/node');
    const sheets = await readSheets(bytes);
    return sheets.map(({ sheet, data }) => [`[sheet ${sheet}]`, ...data.map(csvLine)].join('\n')).join('\n\n');
  },
};

// A library's warnings would be taken for text.
console.log = () => {};

const [name, file] = process.argv.slice(2);
process.stdout.write(await READERS[name](await readFile(file)));
