import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { keptBuild } from '../support/console/kept-build.ts';

/** Most script that the page needs to show its first screen, in bytes as gzip sends them. */
const FIRST_SCRIPT_BYTES_MAX = 62 * 1024;

let folder: string;
let page: string;

const textOf = (file: string): string => gunzipSync(readFileSync(join(folder, `${file}.gz`))).toString();

beforeAll(async () => {
  folder = await keptBuild();
  page = textOf('index.html');
});

/** The entry, and what it imports: Vite names that as links to be loaded with it. */
const firstScripts = (): string[] =>
  [...page.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+\.js)"/g)].map(([, file]) => String(file));

describe('what the console loads first', () => {
  it('is little script, in one file beside one style sheet', () => {
    const first = firstScripts();
    expect(first).toHaveLength(1);
    expect(page.match(/rel="stylesheet"/g)).toHaveLength(1);
    const bytes = first.reduce((sum, file) => sum + readFileSync(join(folder, `${file}.gz`)).length, 0);
    expect(bytes).toBeLessThan(FIRST_SCRIPT_BYTES_MAX);
  });

  it('has nothing inline, which its policy would refuse', () => {
    expect(page).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=/);
  });

  it('brings its two faces along, with their licences, and asks for that of its texts at once', () => {
    const fonts = readdirSync(join(folder, 'assets')).filter((file) => file.endsWith('.woff2'));
    expect(fonts.sort()).toEqual([expect.stringMatching(/^inter-latin-/), expect.stringMatching(/^jetbrains-mono-/)]);
    expect(page).toContain(`href="/console/assets/${fonts[0]}"`);
    expect(readFileSync(join(folder, 'font-licences.txt'), 'utf8').match(/SIL OPEN FONT LICENSE/g)).toHaveLength(2);
  });

  it('names no address elsewhere', () => {
    const styles = readdirSync(join(folder, 'assets')).filter((file) => file.endsWith('.css.gz'));
    const texts = [...firstScripts(), ...styles.map((file) => `assets/${file.slice(0, -3)}`)].map(textOf);
    const addresses = [page, ...texts].flatMap((text) => text.match(/https?:\/\/[\w.-]+/g) ?? []);
    // Names of XML vocabularies are asked for nowhere.
    expect(addresses.filter((address) => !/^https?:\/\/www\.w3\.org$/.test(address))).toEqual([]);
  });
});
