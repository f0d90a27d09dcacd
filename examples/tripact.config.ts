// Copy this file to the folder that Tripact starts in, and keep what you need. It is read once, at the start.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineConfig, defineTool } from 'tripact';
import { z } from 'zod';

/** The file that a session's notes are kept in, in the session's own folder. */
const NOTES = 'notes.md';

/** Longest line of the notes, in characters. */
const LINE_CHARS_MAX = 300;

/** A tool of one's own. The model is shown the description and the schema. */
const note = defineTool({
  name: 'note',
  description: 'Writes a note down for later in this conversation.',
  // One required string field: the model may write the text as it is, or {"text": "…"}.
  input: z.object({ text: z.string().min(1).describe('The note, one line') }),
  // After a crash it may run again under the same effect_id: a note that is there already is not written twice.
  effect: 'idempotent',
  writes: true,
  timeoutMs: 5_000,
  async run({ text }, { workspace, effect_id, signal }) {
    const file = join(workspace, NOTES);
    const notes = await readFile(file, { encoding: 'utf8', signal }).catch(() => '');
    if (!notes.includes(`<!-- ${effect_id} -->`))
      await writeFile(file, `${notes}- ${text} <!-- ${effect_id} -->\n`, { signal });
    return `noted: ${text}`;
  },
});

export default defineConfig({
  tools: [note],

  // Built-in tools that the model has beside these; you have the commands of all. Without tools of your own it has all.
  builtinTools: ['internet_search', 'files'],

  // Who works on a plan item. A step that begins with [WRITER] goes here, and sees these tools alone.
  executors: [
    {
      name: 'writer',
      description: 'Gathers facts and writes them down.',
      tools: ['note', 'internet_search'],
      prompt: 'Write each fact down with the note tool before you call the item done.',
    },
  ],

  // Run before an answer goes out when a writing tool ran: a failure goes back to the model, which re-plans. A program
  // works too, as its arguments: ['npm', 'test'] runs in the session's folder.
  verify: [
    async ({ workspace }) => {
      const notes = await readFile(join(workspace, NOTES), 'utf8').catch(() => '');
      const isLong = (line: string): boolean => line.length > LINE_CHARS_MAX;
      const place = notes.split('\n').findIndex(isLong) + 1;
      return place === 0
        ? { ok: true, output: 'the notes are short' }
        : { ok: false, output: `${NOTES}, line ${place}: a note is longer than ${LINE_CHARS_MAX} characters` };
    },
  ],

  // Tools of other people. Each is called <server>_<tool>. List only servers that you trust: see docs/tools.md.
  mcpServers: {
    // `approval` names those that run only after your yes; true means all of the server's.
    // files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/srv/papers'], approval: ['write_file'] },
    // tickets: { url: 'https://mcp.example.com/mcp', headers: { Authorization: `Bearer ${process.env['TICKETS_TOKEN']}` } },
  },
});
