/** The protocols of chat front ends, by name: what `TRIPACT_PROTOCOLS` chooses from (SPEC 11). */
export const PROTOCOLS = ['openai', 'ai-sdk', 'mcp', 'a2a', 'ag-ui'] as const;

export type ProtocolName = (typeof PROTOCOLS)[number];
