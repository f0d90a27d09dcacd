import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SESSION = '5f0c2b64-8c1e-4d0a-9b57-3a1de2c4f701';

const frontMatter = (lines: string): string => `---\nstatus: SUCCESS\nsession_id: ${SESSION}\n${lines}---\n\nDone.\n`;

/**
 * Ways in which a coding agent may answer a command: each is handed the bridge's folder and the name of the report that is waited for, and
 * does its worst at once.
 */
export const hostileCodingAgent = {
  neverReports: () => {},
  manyKeys: (reports, name) =>
    writeFileSync(join(reports, name), frontMatter(Array.from({ length: 40_000 }, (_, i) => `k${i}: ${i}\n`).join(''))),
  deepFrontMatter: (reports, name) => writeFileSync(join(reports, name), frontMatter(`x: ${'['.repeat(100_000)}\n`)),
  aliasBomb: (reports, name) =>
    writeFileSync(
      join(reports, name),
      frontMatter(
        `a0: &a0 [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(',')}]\n`).join('')}`,
      ),
    ),
  hugeReport: (reports, name) => writeFileSync(join(reports, name), frontMatter('') + 'flood '.repeat(5_000_000)),
  diesInMessage: (reports, name) => writeFileSync(join(reports, name), `---\nstatus: SUCC`),
  noText: (reports, name) => writeFileSync(join(reports, name), Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x80])),
  folderForReport: (reports, name) => void mkdirSync(join(reports, name)),
  linkForReport: (reports, name) => symlinkSync('/etc/hostname', join(reports, name)),
  removesFolder: (reports) => rmSync(reports, { recursive: true }),
} as const satisfies Record<string, (reports: string, name: string) => void>;

/** The name of one of them. */
export type HostileCodingAgentBehaviour = keyof typeof hostileCodingAgent;
