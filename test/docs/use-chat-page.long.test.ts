import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

/** As much of React's types as the page uses. */
const REACT = `
declare module 'react' {
  export function useState<T>(initial: T): [T, (value: T) => void];
  export function useEffect(effect: () => unknown, dependencies?: readonly unknown[]): void;
}
declare namespace JSX {
  type Element = unknown;
  type Children = { children?: unknown; key?: string | number };
  interface IntrinsicElements {
    form: Children & { onSubmit(event: { preventDefault(): void }): void };
    input: { value: string; onChange(event: { target: { value: string } }): void };
    button: Children & { onClick(): unknown };
    [name: string]: object;
  }
}
`;

const OPTIONS = {
  strict: true,
  noEmit: true,
  jsx: 'preserve',
  module: 'preserve',
  target: 'esnext',
  lib: ['esnext', 'dom', 'dom.iterable'],
  skipLibCheck: true,
  types: ['node'],
};

it("the useChat page of docs/front-ends/ai-sdk.md fits the AI SDK's types", () => {
  const folder = mkdtempSync(join(tmpdir(), 'tripact-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const blocks = [
    ...readFileSync('docs/front-ends/ai-sdk.md', 'utf8').matchAll(/```tsx?\n(\/\/ app\/\S+\.(tsx?)\n[\s\S]*?)```/g),
  ];
  expect(blocks).toHaveLength(2);
  for (const [i, [, code = '', extension]] of blocks.entries())
    writeFileSync(join(folder, `file${i}.${extension}`), code);
  writeFileSync(join(folder, 'react.d.ts'), REACT);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS }));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const faults = (): string => {
    try {
      return execFileSync(resolve('node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
    } catch (error) {
      return String((error as { stdout: unknown }).stdout);
    }
  };
  expect(faults()).toBe('');
});
