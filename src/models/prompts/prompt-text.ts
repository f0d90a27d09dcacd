/** What a model is sent: a system prompt, and messages that alternate, beginning and ending with the user's. */
export type Prompt = { system: string; messages: { role: 'user' | 'assistant'; content: string }[] };
