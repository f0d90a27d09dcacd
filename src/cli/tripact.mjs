#!/usr/bin/env node
// Plain JavaScript that any Node can run. It finds a Node that can run the rest.
import { spawn } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const main = join(here, '..', 'main.mjs');

/**
 * The oldest Node that runs this package, from its manifest. A checkout runs TypeScript and needs a newer one than the
 * published package.
 */
const { engines } = JSON.parse(readFileSync(createRequire(import.meta.url).resolve('tripact/package.json'), 'utf8'));
const [majorMin, minorMin = 0] = engines.node.match(/\d+/g).map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);

const isExecutable = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The Node that was installed with this package, in the nearest `node_modules` that has one. */
const installedNode = (folder) => {
  const file = join(folder, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  if (isExecutable(file)) return file;
  const parent = dirname(folder);
  return parent === folder ? null : installedNode(parent);
};

const runWith = (node) => {
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit', shell: node.endsWith('.cmd') });
  // A terminal signals both processes, so the child handles Ctrl-C. Signals sent only to this one are passed on.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`tripact: ${node} could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    for (const passed of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(passed);
    process.kill(process.pid, signal);
  });
};

if (major > majorMin || (major === majorMin && minor >= minorMin)) {
  await import(main);
} else {
  const node = installedNode(here);
  if (node === null) {
    console.error(`tripact needs Node ${majorMin}.${minorMin} or newer, and this is ${process.version}: install one from https://nodejs.org`);
    process.exit(1);
  }
  runWith(node);
}
