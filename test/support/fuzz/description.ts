/** The part of JSON Schema that the description uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
}

/** A parameter of an operation. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  schema: Schema;
}

interface DescribedOperation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

/** An OpenAPI description as `GET /openapi.json` gives it. */
export interface Description {
  paths: Record<string, Record<string, DescribedOperation>>;
  components?: { schemas?: Record<string, Schema> };
}

/** One method of one address. */
export interface Operation {
  method: string;
  /** With its parameters in braces, as `/v1/turns/{turn_id}`. */
  path: string;
  parameters: readonly Parameter[];
  body: { mediaType: string; schema: Schema } | null;
  /** The media types of each documented status. */
  responses: Readonly<Record<string, readonly string[]>>;
}

/** All operations of a description. */
export const operationsOf = ({ paths }: Description): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody, responses }]) => {
      const [[mediaType, { schema = {} } = {}] = []] = Object.entries(requestBody?.content ?? {});
      return {
        method: method.toUpperCase(),
        path,
        parameters,
        // Only JSON is made after its schema; what is described as a list of entries and sent as lines is any text here.
        body: mediaType === undefined ? null : { mediaType, schema: mediaType === 'application/json' ? schema : {} },
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, { content = {} }]) => [status, Object.keys(content)]),
        ),
      };
    }),
  );
