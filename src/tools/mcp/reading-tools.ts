import type {
  CallToolResult,
  Client,
  ContentBlock,
  Tool as ListedTool,
  RequestOptions,
  ServerCapabilities,
} from '@modelcontextprotocol/client';

/** The mark of these tools. No server can set it: what it lists has no such field by then. */
const KIND = 'tripact/reads';

/** Performs a reading as a call would: with the arguments of a model, and the answers that the server asked for. */
type Reading = (
  client: Client,
  args: Record<string, unknown>,
  input: object,
  options: RequestOptions,
) => Promise<CallToolResult>;

const textOf = (text: string): ContentBlock => ({ type: 'text', text });

/** One thing that a server has, on a line. */
const line = (name: string, ...more: (string | undefined)[]): string =>
  [name, ...more.filter((each) => each !== undefined && each !== '')].join(' · ');

const listResources: Reading = async (client, _args, _input, options) => {
  const fresh = { ...options, cacheMode: 'refresh' as const };
  const { resources } = await client.listResources(undefined, fresh);
  // Many servers have no templates, and some do not know the question.
  const { resourceTemplates } = await client
    .listResourceTemplates(undefined, fresh)
    .catch(() => ({ resourceTemplates: [] }));
  const lines = [
    ...resources.map(({ uri, name, mimeType, description }) => line(uri, name, mimeType, description)),
    ...resourceTemplates.map(({ uriTemplate, name, mimeType, description }) =>
      line(uriTemplate, name, mimeType, description),
    ),
  ];
  return { content: lines.length === 0 ? [] : [textOf(lines.join('\n'))] };
};

const readResource: Reading = async (client, { uri }, input, options) => {
  const read = await client.readResource({ uri: String(uri), ...input }, { ...options, cacheMode: 'refresh' });
  // It may want an answer of the user first.
  if (!Array.isArray(read.contents)) return read as unknown as CallToolResult;
  return { content: read.contents.map((resource) => ({ type: 'resource', resource })) };
};

const listPrompts: Reading = async (client, _args, _input, options) => {
  const { prompts } = await client.listPrompts(undefined, { ...options, cacheMode: 'refresh' });
  const lines = prompts.map(({ name, description, arguments: given = [] }) =>
    line(
      `${name}(${given.map((each) => (each.required === true ? each.name : `${each.name}?`)).join(', ')})`,
      description,
    ),
  );
  return { content: lines.length === 0 ? [] : [textOf(lines.join('\n'))] };
};

const getPrompt: Reading = async (client, { name, arguments: given }, input, options) => {
  const named = typeof given === 'object' && given !== null ? { arguments: given as Record<string, string> } : {};
  const got = await client.getPrompt({ name: String(name), ...named, ...input }, options);
  if (!Array.isArray(got.messages)) return got as unknown as CallToolResult;
  return { content: got.messages.map(({ content }) => content) };
};

const READINGS: Readonly<Record<string, Reading>> = {
  list_resources: listResources,
  read_resource: readResource,
  list_prompts: listPrompts,
  get_prompt: getPrompt,
};

const reading = (name: string, description: string, inputSchema: ListedTool['inputSchema']): ListedTool => ({
  name,
  description,
  inputSchema,
  annotations: { readOnlyHint: true },
  _meta: { [KIND]: true },
});

const NOTHING: ListedTool['inputSchema'] = { type: 'object', properties: {} };

/** The tools by which a server's resources and prompts are read, if it has any: they list, read and get, and change nothing. */
export const readingTools = ({ resources, prompts }: ServerCapabilities): ListedTool[] => [
  ...(resources === undefined
    ? []
    : [
        reading(
          'list_resources',
          'Lists the resources of this server, with their addresses and templates of such.',
          NOTHING,
        ),
        reading('read_resource', 'Reads a resource of this server.', {
          type: 'object',
          properties: { uri: { type: 'string', description: 'Its address, as listed' } },
          required: ['uri'],
        }),
      ]),
  ...(prompts === undefined
    ? []
    : [
        reading('list_prompts', 'Lists the prompts that this server has ready, with their arguments.', NOTHING),
        reading('get_prompt', 'Gets a prompt of this server: text to work by, as its author wrote it.', {
          type: 'object',
          properties: {
            name: { type: 'string' },
            arguments: { type: 'object', additionalProperties: { type: 'string' } },
          },
          required: ['name'],
        }),
      ]),
];

/** How a tool reads; undefined: it is one of the server's own. */
export const readingOf = ({ name, _meta }: ListedTool): Reading | undefined =>
  _meta?.[KIND] === true ? READINGS[name] : undefined;
