import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { runCommand, succeed } from './command.ts';
import { onceARun } from './once-a-run.ts';

/** The files of the package. Packing changes package.json for a moment, so it works on a copy. */
const PARTS = [
  ...[
    '.ci',
    'contracts',
    'machines',
    'src',
    'docs',
    'examples',
    'bench/cost/README.md',
    'bench/gold/README.md',
    'bench/models/README.md',
    'bench/rerun/README.md',
  ],
  ...[
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'README.md',
    'CHANGELOG.md',
    'LICENSE',
    'AGENTS.md',
    'skills',
  ],
];

/** The platform packages that provide a new user's Node. */
const NODE_PACKAGE = `node-${process.platform === 'darwin' && process.arch === 'arm64' ? 'bin-' : ''}${process.platform}-${process.arch}`;

/** A packed package, and folders beside it. */
export interface Packed {
  tarball: string;
  /** A new empty folder. */
  folder(name: string): string;
  /** The folder with a Node of this major version as `node`: one of this machine, else an installed one. */
  nodeOf(major: number): Promise<string>;
  /** Removes the folders. The tarball and installed Nodes stay until the run ends. */
  remove(): void;
}

const path = dirname(process.execPath);

/** Builds a copy of the checkout and packs it like `npm publish`, once for all tests of a run. */
const packCheckout = (): Promise<string> =>
  onceARun('package', async (folder) => {
    const copy = join(folder, 'checkout');
    for (const part of PARTS) cpSync(part, join(copy, part), { recursive: true });
    symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
    await succeed(['npm', 'pack', '--pack-destination', folder], { cwd: copy, path });
  });

const installNode = (major: number): Promise<string> =>
  onceARun(`node-${major}`, async (folder) => {
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    await succeed(['npm', 'install', '--prefer-offline', '--no-audit', `${NODE_PACKAGE}@${major}`], {
      cwd: folder,
      path,
    });
  });

/** Packs the checkout. */
export const pack = async (): Promise<Packed> => {
  const packed = await packCheckout();
  const root = mkdtempSync(join(tmpdir(), 'tripact-package-'));
  const [tarball = ''] = readdirSync(packed).filter((name) => name.endsWith('.tgz'));
  return {
    tarball: join(packed, tarball),
    folder: (name) => {
      const folder = join(root, name);
      mkdirSync(folder, { recursive: true });
      return folder;
    },
    nodeOf: async (major) => {
      for (const bin of [path, ...(process.env.PATH ?? '').split(delimiter)]) {
        if (!existsSync(join(bin, 'node'))) continue;
        const { stdout } = await runCommand([join(bin, 'node'), '--version'], { cwd: root });
        if (stdout.startsWith(`v${major}.`)) return bin;
      }
      return join(await installNode(major), 'node_modules', NODE_PACKAGE, 'bin');
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
};
