import { expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../../src/app/app.ts';
import { closeEach } from '../../src/app/close-each.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/lib/log.ts';
import { temporaryFolder } from '../support/cli/cli-process.ts';

it('every part is closed, even after others failed, and the first error is thrown at the end', async () => {
  const closed: string[] = [];
  const part = (name: string, fault?: Error) => async () => {
    closed.push(name);
    if (fault !== undefined) throw fault;
  };
  const throws = (): never => {
    throw new Error('third');
  };
  const closing = closeEach([[part('a')], [part('b', new Error('first')), part('c')], [throws], [part('d')]]);
  await expect(closing).rejects.toThrow('first');
  expect(closed).toEqual(['a', 'b', 'c', 'd']);
});

it('a service of which a part cannot be closed lets go of its folder all the same', async () => {
  const config = loadConfig({ TRIPACT_MODEL: 'offline', TRIPACT_DATA_DIR: temporaryFolder() });
  const open = () => buildApp({ config, log: createLog({ level: 'silent' }), version: '0.0.0' });
  const first = await open();
  const { close } = first.http;
  onTestFinished(() => close());
  Object.assign(first.http, { close: () => Promise.reject(new Error('a socket is stuck')) });
  await expect(first.close()).rejects.toThrow('a socket is stuck');
  const second = await open();
  await second.close();
});
