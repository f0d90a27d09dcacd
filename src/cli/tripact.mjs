#!/usr/bin/env node
// Plain JavaScript, for any Node may run this file: it finds one that can run the rest.
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The oldest Node that runs the TypeScript of this package as it is. */
const NODE_MAJOR_MIN = 24;

const here = dirname(fileURLToPath(import.meta.url));
const main = join(here, '..', 'main.mjs');

const isExecutable = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The Node that was installed along with this package, in the nearest `node_modules` that has one. */
const installedNode = (folder) => {
  const file = join(folder, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  if (isExecutable(file)) return file;
  const parent = dirname(folder);
  return parent === folder ? null : installedNode(parent);
};

const runWith = (node) => {
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit', shell: node.endsWith('.cmd') });
  // A terminal signals both processes, so Ctrl-C is the child's to answer; what is sent to this one alone is passed on.
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

if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR_MIN) {
  await import(main);
} else {
  const node = installedNode(here);
  if (node === null) {
    console.error(`tripact needs Node ${NODE_MAJOR_MIN} or newer, this is ${process.version}. Run "npm install" in its folder: it brings one.`);
    process.exit(1);
  }
  runWith(node);
}
