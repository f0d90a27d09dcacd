/** A model's name as the GenAI conventions have it, from the name that the service has for it, such as `anthropic:claude-…` or `offline`. */
export const modelNames = (name: string): { provider: string; model: string } => {
  const colon = name.indexOf(':');
  return colon < 0 ? { provider: name, model: name } : { provider: name.slice(0, colon), model: name.slice(colon + 1) };
};
