/** Providers by the names of the GenAI conventions, where the service names them otherwise. */
const PROVIDERS: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  moonshotai: 'moonshot_ai',
  vertex: 'gcp.vertex_ai',
  xai: 'x_ai',
};

/**
 * A model's name in the GenAI conventions, from the service's name for it, such as `anthropic:claude-…` or `offline`.
 */
export const modelNames = (name: string): { provider: string; model: string } => {
  const [named = name, ...rest] = name.split(':');
  const model = rest.length === 0 ? name : rest.join(':');
  return { provider: Object.hasOwn(PROVIDERS, named) ? PROVIDERS[named]! : named, model };
};
