import type { FastifyInstance } from 'fastify';

/** Every route, such as `GET /v1/tasks`, as an application prints its tree of them; HEAD comes with GET. */
export const routesOf = (http: FastifyInstance): string[] => {
  const above: string[] = [];
  const found = http
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] =
        /^((?:[│ ] {3})*)[├└]── (.*?)(?: \(([A-Z, -]+)\))?$/.exec(line) ?? [];
      if (part === '') return [];
      above.length = indent.length / 4;
      above.push(part === '*' ? '/*' : part);
      const url = above.join('').replaceAll('//', '/');
      return methods
        .split(', ')
        .flatMap((method) => (['', 'HEAD', 'OPTIONS'].includes(method) ? [] : [`${method} ${url}`]));
    });
  return [...new Set(found)].sort();
};
