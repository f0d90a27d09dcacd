import type { FastifyInstance } from 'fastify';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The addresses of an application as it prints its tree of them. */
const addresses = (http: FastifyInstance): string[] => {
  const above: string[] = [];
  return http
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods] = /^((?:[│ ] {3})*)[├└]── (.*?)(?: \(([A-Z, -]+)\))?$/.exec(line) ?? [];
      if (part === '') return [];
      const depth = indent.length / 4;
      above.length = depth;
      above.push(part === '*' ? '/*' : part);
      return methods === undefined ? [] : [above.join('').replaceAll('//', '/')];
    });
};

/** Every route, such as `GET /v1/tasks`, by what its address says of itself to OPTIONS; one that says nothing is read only. */
export const routesOf = async (
  http: FastifyInstance,
  allowedAt: (url: string) => Promise<string | undefined>,
): Promise<string[]> => {
  const found = await Promise.all(
    addresses(http).map(async (url) => {
      const allowed = (await allowedAt(url.replaceAll(/:\w+|\*/g, 'x'))) ?? 'GET';
      return METHODS.filter((method) => allowed.split(', ').includes(method)).map((method) => `${method} ${url}`);
    }),
  );
  return found.flat().sort();
};
