import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { runCommand, succeed } from './command.ts';

/** What a package is made of; packing changes package.json for a moment, so it is done on a copy. */
const PARTS = [
  ...['.ci', 'contracts', 'machines', 'src', 'docs', 'examples'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'README.md', 'CHANGELOG.md', 'LICENSE'],
];

/** The platform packages of Node that a stranger's Node is taken from. */
const NODE_PACKAGE = `node-${process.platform === 'darwin' && process.arch === 'arm64' ? 'bin-' : ''}${process.platform}-${process.arch}`;

/** A package that was packed, and folders beside it. */
export interface Packed {
  tarball: string;
  /** A new empty folder. */
  folder(name: string): string;
  /** The folder with a Node of this major version as `node`: one of this machine, else an installed one. */
  nodeOf(major: number): Promise<string>;
  remove(): void;
}

/** Builds and packs a copy of the checkout as `npm publish` would. */
export const pack = async (): Promise<Packed> => {
  const root = mkdtempSync(join(tmpdir(), 'tripact-package-'));
  const folder = (name: string): string => {
    const path = join(root, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const copy = folder('checkout');
  for (const part of PARTS) cpSync(part, join(copy, part), { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
  const path = dirname(process.execPath);
  await succeed(['npm', 'pack', '--pack-destination', root], { cwd: copy, path });
  const [tarball = ''] = readdirSync(root).filter((name) => name.endsWith('.tgz'));
  return {
    tarball: join(root, tarball),
    folder,
    nodeOf: async (major) => {
      for (const bin of [dirname(process.execPath), ...(process.env.PATH ?? '').split(delimiter)]) {
        if (!existsSync(join(bin, 'node'))) continue;
        const { stdout } = await runCommand([join(bin, 'node'), '--version'], { cwd: root });
        if (stdout.startsWith(`v${major}.`)) return bin;
      }
      const home = folder(`node-${major}`);
      writeFileSync(join(home, 'package.json'), '{"private":true}');
      await succeed(['npm', 'install', '--prefer-offline', '--no-audit', `${NODE_PACKAGE}@${major}`], {
        cwd: home,
        path,
      });
      return join(home, 'node_modules', NODE_PACKAGE, 'bin');
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
};
