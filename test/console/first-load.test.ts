import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { keptBuild } from '../support/console/kept-build.ts';

/** Most script that the page needs to show its first screen, in bytes as gzip sends them. */
const FIRST_SCRIPT_BYTES_MAX = 60 * 1024;

let folder: string;
let page: string;

beforeAll(async () => {
  folder = await keptBuild();
  page = readFileSync(join(folder, 'index.html'), 'utf8');
});

describe('what the console loads first', () => {
  it('is little script', () => {
    // Vite names what the entry imports as links to be loaded with it.
    const first = [...page.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+\.js)"/g)].map(([, file]) => String(file));
    expect(first).not.toEqual([]);
    const bytes = first.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
    expect(bytes).toBeLessThan(FIRST_SCRIPT_BYTES_MAX);
  });

  it('has nothing inline, which its policy would refuse', () => {
    expect(page).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=/);
  });

  it('names no address elsewhere', () => {
    const scripts = readdirSync(join(folder, 'assets')).map((file) =>
      readFileSync(join(folder, 'assets', file), 'utf8'),
    );
    const addresses = [page, ...scripts].flatMap((text) => text.match(/https?:\/\/[\w.-]+/g) ?? []);
    // Names of XML vocabularies are asked for nowhere.
    expect(addresses.filter((address) => !/^https?:\/\/www\.w3\.org$/.test(address))).toEqual([]);
  });
});
