import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** The addresses of a name, as far as they are known within so many milliseconds. Never rejects. */
export type ResolveName = (name: string, waitMs: number) => Promise<string[]>;

/** What name servers say of a name: its addresses, and whether they answered all that was asked. */
interface Answer {
  addresses: string[];
  isWhole: boolean;
}

/** How long one resolver is used, in milliseconds: a new one reads anew which name servers there are. Its sockets are those of all names that it is asked for. */
const RESOLVER_KEPT_MS = 10_000;

/** Longest that a name server is waited for before it is asked again, in milliseconds. */
const TRY_MS = 1_500;

/** What is known of a name that has no such addresses, or where there is no name server. */
const WITHOUT_ADDRESSES = ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'];

const NO_ANSWER: Answer = { addresses: [], isWhole: false };

const answered = async (asked: Promise<string[]>): Promise<Answer> => {
  try {
    return { addresses: await asked, isWhole: true };
  } catch (error) {
    const isWhole = WITHOUT_ADDRESSES.includes(String((error as NodeJS.ErrnoException).code));
    return { addresses: [], isWhole };
  }
};

const createAskNameServers = (): Asked['nameServers'] => {
  let resolver = new Resolver({ timeout: TRY_MS, tries: 2 });
  let madeAt = performance.now();
  return async (name, waitMs) => {
    if (performance.now() - madeAt > RESOLVER_KEPT_MS) {
      resolver = new Resolver({ timeout: TRY_MS, tries: 2 });
      madeAt = performance.now();
    }
    const found = await Promise.all(
      [resolver.resolve4(name), resolver.resolve6(name)].map((asked) =>
        Promise.race([answered(asked), wait(waitMs, NO_ANSWER, { ref: false })]),
      ),
    );
    return {
      addresses: found.flatMap(({ addresses }) => addresses),
      isWhole: found.every(({ isWhole }) => isWhole),
    };
  };
};

const askSystem = async (name: string): Promise<string[]> => {
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
};

interface Asked {
  nameServers(name: string, waitMs: number): Promise<Answer>;
  /** May take as long as it likes, and reject. */
  system(name: string): Promise<string[]>;
}

/**
 * Makes what resolves names that callers chose. It asks the name servers; and the system, which knows names of its own (`/etc/hosts`), about one name at a time and
 * of none for which the name servers gave no answer. The system takes a thread for each name: there are two for all of this process, that of the
 * model's server too, and one that waits for an answer is held for half a minute, also by the end of the process.
 */
export const createResolveName = ({
  nameServers = createAskNameServers(),
  system = askSystem,
}: Partial<Asked> = {}): ResolveName => {
  let underWay: { name: string; addresses: Promise<string[]> } | null = null;
  const ask = (name: string): NonNullable<typeof underWay> => {
    const addresses = system(name)
      .catch(() => [])
      .finally(() => {
        underWay = null;
      });
    return { name, addresses };
  };
  const askInTurn: ResolveName = async (name, waitMs) => {
    const late = wait(waitMs, null, { ref: false });
    for (;;) {
      underWay ??= ask(name);
      const isOwn = underWay.name === name;
      const found = await Promise.race([underWay.addresses, late]);
      if (found === null || isOwn) return found ?? [];
    }
  };
  return async (name, waitMs) => {
    const { addresses, isWhole } = await nameServers(name, waitMs);
    // Without a dot it is of this network: nobody outside decides how long its name servers take.
    const mayAsk = isWhole || !name.includes('.');
    // What is known waits for no other name.
    const wouldWait = underWay !== null && underWay.name !== name;
    if (!mayAsk || (wouldWait && addresses.length > 0)) return addresses;
    return [...new Set([...(await askInTurn(name, waitMs)), ...addresses])];
  };
};

/** The resolver of a connection that waits so many milliseconds for a name. */
export const lookupWith =
  (resolve: ResolveName, waitMs: number): LookupFunction =>
  (hostname, _options, callback) => {
    void resolve(hostname, waitMs).then((addresses) => {
      if (addresses.length > 0)
        return callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        );
      const error = new Error(`${hostname} could not be resolved within ${waitMs / 1_000} s`);
      callback(Object.assign(error, { code: 'ENOTFOUND' }), []);
    });
  };
