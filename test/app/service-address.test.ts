import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSmallFile } from '../../src/app/read-small-file.ts';
import { publishAddress } from '../../src/app/service-address.ts';
import { signingKeyIn } from '../../src/app/signing-key.ts';
import { freshDataDir } from '../support/engine/sqlite-engine.ts';

const URL_HERE = 'http://127.0.0.1:1';

it('the address is written past whatever is in the place of its temporary file, and follows no link', () => {
  const dataDir = freshDataDir();
  const temporary = join(dataDir, 'service.json.new');
  const other = join(dataDir, 'other');
  writeFileSync(other, 'mine');
  const publish = () => publishAddress(dataDir, { url: URL_HERE, command: 'serve', key: null });

  symlinkSync(other, temporary);
  publish();
  expect(readFileSync(other, 'utf8')).toBe('mine');
  // A pipe without a reader: to open it would wait for one for ever.
  execFileSync('mkfifo', [temporary]);
  publish();
  expect(JSON.parse(readFileSync(join(dataDir, 'service.json'), 'utf8'))).toMatchObject({ url: URL_HERE });
});

it('an address that can not be removed again keeps no service from stopping', () => {
  const dataDir = freshDataDir();
  const unpublish = publishAddress(dataDir, { url: URL_HERE, command: 'serve', key: null });
  const file = join(dataDir, 'service.json');
  rmSync(file);
  mkdirSync(file);
  expect(unpublish).not.toThrow();
});

it('a pipe in the place of a file of the service is refused, and not waited for', () => {
  const dataDir = freshDataDir();
  const place = join(dataDir, 'signing-key');
  execFileSync('mkfifo', [place]);
  expect(signingKeyIn(dataDir)).toThrow(`${place} is not a file`);
  expect(() => readSmallFile(place)).toThrow(`${place} is not a file`);
});
