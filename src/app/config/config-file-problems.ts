import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { nearestName } from './nearest-name.ts';

/** The configuration file's name, looked for in the folder that Tripact starts in. */
export const CONFIG_FILE = 'tripact.config.ts';

/** A configuration file as it is checked. */
export interface CheckedFile {
  exported: unknown;
  /** Its text, in which lines are found; empty where it is not known. */
  source: string;
  /** The keys that there are at a place; none where any is taken. */
  keysAt(path: readonly PropertyKey[]): readonly string[];
}

const at = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Problems of which the thing's name and line are found, each of which goes through the whole text: more than are shown. */
const SOUGHT_MAX = 100;

/** Longest key or name that is looked for in the text, in characters. */
const SOUGHT_CHARS_MAX = 256;

/** The only line that writes a key or a name, counted from 1; null where none does, or several do. */
const lineOf = (source: string, sought: string, patternOf: (escaped: string) => string): number | null => {
  if (sought.length > SOUGHT_CHARS_MAX) return null;
  const pattern = new RegExp(patternOf(escaped(sought)));
  const lines = source.split('\n').flatMap((line, index) => (pattern.test(line) ? [index + 1] : []));
  return lines.length === 1 ? lines[0]! : null;
};

const keyLine = (source: string, key: string): number | null =>
  lineOf(source, key, (text) => `(^|[\\s{,])["']?${text}["']?\\s*[:,(}]`);

const nameLine = (source: string, name: string): number | null =>
  lineOf(source, name, (text) => `\\bname:\\s*["'\`]${text}["'\`]`);

/** The name of the tool or executor that a place is in. */
const nameAround = (exported: unknown, [list, index]: readonly PropertyKey[]): string | null => {
  const name = list === undefined || index === undefined ? undefined : at(at(at(exported, list), index), 'name');
  return typeof name === 'string' ? name : null;
};

const problem = (issue: z.core.$ZodIssue, { exported, source, keysAt }: CheckedFile): string => {
  const { path } = issue;
  const message = (issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined) ?? issue.message;
  const place = [CONFIG_FILE, ...path.map(String)].join(' › ');
  const name = nameAround(exported, path);
  const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const near = unknown === undefined ? null : nearestName(unknown, keysAt(path));
  const line = unknown === undefined ? (name === null ? null : nameLine(source, name)) : keyLine(source, unknown);
  const notes = [...(name === null ? [] : [`of "${name}"`]), ...(line === null ? [] : [`line ${line}`])];
  const meant = near === null ? '' : `; did you mean "${near}"?`;
  return `${place}: ${message}${meant}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
};

/** What is wrong with a configuration file, a line each: the place, the problem, the thing's name, and the line where it is found. Never a value. */
export const fileProblems = (issues: readonly z.core.$ZodIssue[], file: CheckedFile): string[] =>
  issues.map((issue, index) => (index < SOUGHT_MAX ? problem(issue, file) : issue.message));

/** Where an error came from: the line of the configuration file, or of a file that it imports; null where that is not known. */
const originOf = (error: unknown, file: string): string | null => {
  const stack = error instanceof Error ? String(error.stack) : '';
  // What can't be parsed is named in front of the error.
  const [, parsed, parsedLine] = /^([^\n]+):(\d+)\n/.exec(stack) ?? [];
  const frames = [...stack.matchAll(/(file:\/\/[^\s()]+):(\d+):\d+/g)].map(([, url = '', line]) => ({
    path: fileURLToPath(url),
    line,
  }));
  const frame =
    frames.find(({ path }) => path === file) ?? frames.find(({ path }) => !path.startsWith(import.meta.dirname));
  const found = parsed === undefined ? frame : { path: parsed, line: parsedLine };
  return found === undefined ? null : `${relative(dirname(file), found.path)}:${found.line}`;
};

/** Why a configuration file could not be loaded, with the file and the line; it may throw anything, also what can't be shown. */
export const loadProblem = (error: unknown, file: string): string => {
  try {
    return `${originOf(error, file) ?? CONFIG_FILE} could not be loaded: ${error instanceof Error ? error.message : String(error)}`;
  } catch {
    return `${CONFIG_FILE} could not be loaded: it throws something that is no error.`;
  }
};
