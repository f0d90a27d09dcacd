import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSkills } from '../../src/app/open-skills.ts';
import { temporaryFolder } from '../support/cli/cli-process.ts';
import { act, answer, done, plan, startService } from '../support/service/service.ts';

/** A folder of skills with these files. */
const folderWith = (files: Record<string, string | Buffer>): string => {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
};

const front = (name: string, description: string): string => `---\nname: ${name}\ndescription: ${description}\n---\n`;

const REFUNDS = {
  'refunds/SKILL.md': `${front('refunds', 'How refunds are made here')}Ask for the receipt. Limits: limits.md`,
  'refunds/limits.md': 'Up to 50 €.',
  'refunds/logo.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00]),
  'README.md': 'no skill',
};

const read = (input: Record<string, string>) => act('skill', JSON.stringify(input));

describe('skills', () => {
  it('are named in the prompt, read by the tool, and hashed in the trace; nothing leads out of a skill', async () => {
    const skills = folderWith({ ...REFUNDS, 'secret.txt': 'hidden' });
    const inputs: Record<string, string>[] = [
      { skill: 'refunds' },
      { skill: 'refunds', file: './limits.md' },
      { skill: 'refunds', file: '../secret.txt' },
      { skill: 'refunds', file: 'logo.png' },
      { skill: 'bills' },
    ];
    const script = { plan: plan('Refund it'), thought: [...inputs.map(read), done()], replan: answer('Done') };
    const service = await startService(script, {}, { file: { skills } });
    await service.say('s1', 'Refund my order');

    expect(service.model.requests[0]?.body.system).toContain('# Skills\n');
    expect(service.model.requests[0]?.body.system).toContain('- refunds: How refunds are made here');
    const events = (await service.trace('s1')).map(({ event }) => event);
    expect(events[0]).toMatchObject({ skills: { refunds: expect.stringMatching(/^[0-9a-f]{64}$/) } });
    const results = events.flatMap((event) => (event.type === 'observation.recorded' ? event : []));
    expect(results.map(({ ok }) => ok)).toEqual([true, true, false, false, false]);
    expect(results[0]?.result).toContain('Ask for the receipt.');
    expect(results[0]?.result).toContain('limits.md, logo.png');
    expect(results[1]?.result).toBe('Up to 50 €.');
  });

  it('that a task may not read are not in its prompt', async () => {
    const service = await startService(
      { plan: plan(), thought: done('Hello'), replan: answer('Hello') },
      {},
      { file: { skills: folderWith(REFUNDS) } },
    );
    await service.say('s1', 'Hello', { tools: ['files'] });
    expect(service.model.requests[0]?.body.system).not.toContain('# Skills');
    expect((await service.trace('s1'))[0]?.event).not.toHaveProperty('skills');
  });

  it('are what they were at the start until the next one, and a replay then names those that have changed', async () => {
    const skills = folderWith(REFUNDS);
    const script = { plan: plan('Refund it'), thought: [read({ skill: 'refunds', file: 'limits.md' }), done()] };
    const service = await startService({ ...script, replan: answer('Done') }, { TRIPACT_SKILLS_DIR: skills });
    writeFileSync(join(skills, 'refunds/limits.md'), 'Up to 500 €.');
    await service.say('s1', 'Refund my order');
    const trace = await service.trace('s1');
    expect(JSON.stringify(trace)).toContain('Up to 50 €.');
    const replayed = async () => {
      const body = trace.map((entry) => JSON.stringify(entry)).join('\n');
      const headers = { 'content-type': 'application/x-ndjson' };
      return (await fetch(`${service.url}/v1/replay`, { method: 'POST', headers, body })).json();
    };
    expect(await replayed()).toEqual({ ok: true, entries: trace.length });
    await service.restart();
    expect(await replayed()).toEqual({ ok: true, entries: trace.length, skills_changed: ['refunds'] });
  });
});

describe('a folder of skills', () => {
  const opened = (folder: string) => openSkills({ skillsDir: folder }, {});

  it.each<{ files: Record<string, string>; says: RegExp }>([
    { files: { 'a/SKILL.md': 'no front matter' }, says: /a: must begin with front matter/ },
    { files: { 'a/SKILL.md': '---\nname: a\ndescription: [\n---\n' }, says: /a: has front matter that is not YAML/ },
    { files: { 'a/SKILL.md': '---\nname: a b\n---\n' }, says: /"name" must match .*"description" must be a text/ },
    { files: { 'a/other.md': 'x' }, says: /a: has no SKILL.md/ },
    {
      files: { 'a/SKILL.md': front('one', 'x'), 'b/SKILL.md': front('one', 'y') },
      says: /b: another skill has the name "one"/,
    },
  ])('stops the start where $says', async ({ files, says }) => {
    await expect(opened(folderWith(files))).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(says),
    });
  });

  it('stops the start where it is missing, or a link leads out of a skill', async () => {
    await expect(opened(join(temporaryFolder(), 'none'))).rejects.toThrow('cannot be read (ENOENT)');
    const folder = folderWith({ 'a/SKILL.md': front('a', 'x') });
    symlinkSync('/etc/passwd', join(folder, 'a/users'));
    await expect(opened(folder)).rejects.toThrow('a link that leads out of the folder');
  });

  it('may be mounted as Kubernetes does it, by links inside of it', async () => {
    const folder = folderWith({ 'a/..1/SKILL.md': front('a', 'x') });
    symlinkSync('..1', join(folder, 'a/..data'));
    symlinkSync('..data/SKILL.md', join(folder, 'a/SKILL.md'));
    expect((await opened(folder)).all).toHaveProperty('a');
  });
});
