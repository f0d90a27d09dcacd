import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createCallbackGuard } from '../../src/tools/callback-guard.ts';
import { createResolveName } from '../../src/tools/resolve-name.ts';

/** Name servers that know one name, and are silent about some. */
const nameServers = async (name: string) => ({
  addresses: name === 'known.example' ? ['127.0.0.1'] : [],
  isWhole: !name.startsWith('silent'),
});

/** A system that answers when it is told to, and what it was asked. */
const slowSystem = () => {
  const asked: string[] = [];
  const answer = Promise.withResolvers<string[]>();
  const system = (name: string): Promise<string[]> => {
    asked.push(name);
    return answer.promise;
  };
  const resolve = createResolveName({ nameServers, system });
  const { fetch } = createCallbackGuard({ hosts: { names: [], networks: [] }, resolve: (name) => resolve(name, 1) });
  const postTo = async (...names: string[]) => {
    for (const post of await Promise.allSettled(names.map((name) => fetch(`http://${name}/`))))
      expect(post).toMatchObject({ reason: { message: expect.stringContaining('could not be resolved') } });
  };
  return { asked, answer, resolve, postTo };
};

it('asks the system about no name whose name servers give no answer, for it would hold a thread that all names need', async () => {
  const { asked, resolve, postTo } = slowSystem();
  await postTo('silent-1.example', 'silent-2.example', 'silent-3.example');
  expect(asked).toEqual([]);
  // A name of this network, which the hosts file may have.
  await resolve('silent', 1);
  expect(asked).toEqual(['silent']);
});

it('asks the system about one name at a time', async () => {
  const { asked, answer, resolve, postTo } = slowSystem();
  await postTo(...Array.from({ length: 20 }, (_, i) => `held-${i}.example`));
  expect(asked).toHaveLength(1);
  // Meanwhile others are known by what the name servers say.
  expect(await resolve('known.example', 1_000)).toEqual(['127.0.0.1']);
  expect(asked).toHaveLength(1);
  answer.resolve([]);
  await expect.poll(() => resolve('known.example', 1_000).then(() => asked)).toContain('known.example');
});

it('gives what the system knows first, and each address once', async () => {
  const resolve = createResolveName({ nameServers, system: async () => ['10.0.0.1', '127.0.0.1'] });
  expect(await resolve('known.example', 1_000)).toEqual(['10.0.0.1', '127.0.0.1']);
});

it('finds names that the system alone knows also where several are looked for at once', async () => {
  const asked: string[] = [];
  const system = async (name: string): Promise<string[]> => {
    asked.push(name);
    await nextTurn();
    return name === 'receiver' ? ['10.0.0.1'] : ['10.0.0.2'];
  };
  const resolve = createResolveName({ nameServers, system });
  const names = ['receiver', 'receiver', 'other', 'receiver'];
  const found = await Promise.all(names.map((name) => resolve(name, 10_000)));
  expect(found).toEqual([['10.0.0.1'], ['10.0.0.1'], ['10.0.0.2'], ['10.0.0.1']]);
  expect(asked).toEqual(['receiver', 'other']);
});
