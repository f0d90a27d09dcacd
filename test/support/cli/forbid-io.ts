import dns from 'node:dns';
import { registerHooks } from 'node:module';
import net from 'node:net';

/** Modules that a purely computing command does not need. */
const forbidden =
  /\/src\/(models|tools|engine(?!\/replay\/)|store|http|app)[/.]|better-sqlite3|anthropic|fastify|undici|node:(http|https|http2|net|tls|dgram|dns|sqlite)\b/;

const refuse = (what: string) => (): never => {
  process.stderr.write(`forbidden: ${what}\n`);
  process.exit(99);
};

// Preloaded by tests: from here on, loading such a module or using the network ends the process.
registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context);
    if (forbidden.test(found.url)) refuse(`${specifier} loaded by ${context.parentURL}`)();
    return found;
  },
});
net.Socket.prototype.connect = refuse('connect');
net.Server.prototype.listen = refuse('listen');
dns.lookup = refuse('lookup') as unknown as typeof dns.lookup;
globalThis.fetch = refuse('fetch');
