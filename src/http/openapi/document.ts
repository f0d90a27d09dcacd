interface JsonSchema {
  anyOf?: JsonSchema[];
  type?: unknown;
}

interface DescribedOperation {
  requestBody?: { required?: boolean; content: Record<string, { schema?: JsonSchema }> };
}

/** The part of an OpenAPI description that is changed here. */
interface OpenApi {
  paths?: Record<string, Record<string, DescribedOperation>>;
  /** What the service sends. */
  webhooks?: object;
  components?: { schemas?: Record<string, unknown> };
}

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

/** The schemas of what is referred to, and of what these refer to in turn. */
const usedSchemas = ({ paths, webhooks, components }: OpenApi): Map<string, unknown> => {
  const used = new Map<string, unknown>();
  const use = (user: unknown): void => {
    for (const [, name = ''] of JSON.stringify(user ?? {}).matchAll(REFERENCE)) {
      if (used.has(name)) continue;
      used.set(name, components?.schemas?.[name]);
      use(used.get(name));
    }
  };
  use(paths);
  use(webhooks);
  return used;
};

/**
 * The description with the schemas that a route or a webhook refers to, and without the others. Each comes as read (`TaskInput`) and as written
 * (`Task`); what is only read, or is the same both times, has the plain name.
 */
export const withUsedSchemas = <Described extends object>(description: Described): Described => {
  const { paths, webhooks, components }: OpenApi = description;
  const used = usedSchemas(description);
  const plainName = (name: string): string => {
    const plain = name.replace(/Input$/, '');
    return !used.has(plain) || sameSchema(used.get(plain), used.get(name)) ? plain : name;
  };
  const renamed = <Part>(part: Part): Part =>
    JSON.parse(
      JSON.stringify(part).replaceAll(REFERENCE, (_, name) => `"#/components/schemas/${plainName(name)}"`),
    ) as Part;
  const schemas = Object.fromEntries([...used].map(([name, schema]) => [plainName(name), renamed(schema)]));
  const sent = webhooks === undefined ? {} : { webhooks: renamed(webhooks) };
  return { ...description, paths: renamed(paths), ...sent, components: { ...components, schemas } };
};

/** Whether two schemas say the same, where one refers to what is read and the other to what is written. */
const sameSchema = (one: unknown, other: unknown): boolean => {
  const plain = (schema: unknown): string => JSON.stringify(schema).replaceAll(/Input"/g, '"');
  return plain(one) === plain(other);
};

/** The description in which a body that may be null need not be sent, and is never null where it is. */
export const withOptionalBodies = <Described extends object>(description: Described): Described => {
  const { paths = {} }: OpenApi = description;
  const optional = (operation: DescribedOperation): DescribedOperation => {
    const schema = operation.requestBody?.content['application/json']?.schema;
    const [value, nothing] = schema?.anyOf ?? [];
    if (value === undefined || nothing?.type !== 'null') return operation;
    return { ...operation, requestBody: { required: false, content: { 'application/json': { schema: value } } } };
  };
  const mapped = <From, To>(record: Record<string, From>, map: (value: From) => To): Record<string, To> =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
  return { ...description, paths: mapped(paths, (operations) => mapped(operations, optional)) };
};
