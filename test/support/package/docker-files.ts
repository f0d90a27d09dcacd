import { readFileSync } from 'node:fs';

/** A file of the checkout. */
export const written = (file: string): string => readFileSync(file, 'utf8');

export const dockerfile = written('Dockerfile');

/** The values of an instruction of the Dockerfile, in order. */
export const instructions = (name: string): string[] =>
  [...dockerfile.matchAll(new RegExp(`^${name} +((?:.*\\\\\\n)*.*)$`, 'gm'))].map(([, text]) => text ?? '');

/** The environment that the image sets, as the service reads it. */
export const imageEnv: Record<string, string> = Object.fromEntries(
  instructions('ENV')
    .flatMap((line) => line.split(/\s+/))
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
);
