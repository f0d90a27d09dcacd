import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FILE_BYTES_MAX } from '../../../contracts/limits.ts';
import { readStart } from '../../workspace/read-files.ts';
import { writeFileWhole } from '../../workspace/write-file.ts';

/** The folders of the bridge (SPEC 10). Only Tripact uses `.tripact`, which holds the ledgers. */
const FOLDERS = [
  'commands/pending',
  'commands/processed',
  'reports/pending',
  'reports/processed',
  'reports/unknown',
  '.tripact',
] as const;
export type BridgeFolder = (typeof FOLDERS)[number];

/** The files of the bridge, by folder and name. Synchronous; knows nothing of their content. */
export class BridgeFiles {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  makeFolders(): void {
    for (const folder of FOLDERS) mkdirSync(this.#pathOf(folder), { recursive: true, mode: 0o700 });
  }

  has(folder: BridgeFolder, name: string): boolean {
    return existsSync(this.#pathOf(folder, name));
  }

  /** The beginning of a file's text; null: there is no such file. */
  read(folder: BridgeFolder, name: string): string | null {
    return this.has(folder, name) ? readStart(this.#pathOf(folder, name), FILE_BYTES_MAX).toString() : null;
  }

  /** When a file was last changed or moved, in epoch milliseconds; null: there is no such file. */
  changedAt(folder: BridgeFolder, name: string): number | null {
    return statSync(this.#pathOf(folder, name), { throwIfNoEntry: false })?.ctimeMs ?? null;
  }

  /** The names of the files in a folder, without links. */
  names(folder: BridgeFolder): string[] {
    const entries = readdirSync(this.#pathOf(folder), { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  }

  /** Writes a whole file, durably. */
  write(folder: BridgeFolder, name: string, text: string): void {
    writeFileWhole(this.#pathOf(folder, name), text, { isDurable: true });
  }

  /** Removes a file. A missing file is not an error. */
  remove(folder: BridgeFolder, name: string): void {
    rmSync(this.#pathOf(folder, name), { force: true });
  }

  /** Moves a file, by default under its own name. A missing file is not an error. */
  move(name: string, from: BridgeFolder, to: BridgeFolder, newName = name): void {
    if (this.has(from, name)) renameSync(this.#pathOf(from, name), this.#pathOf(to, newName));
  }

  #pathOf(folder: BridgeFolder, name = ''): string {
    return join(this.#dir, folder, name);
  }
}
