/** What a failed tool call or verification reports where the tool itself could not (SPEC 7). */
export const toolCalls = {
  timedOut: (tool: string, timeoutMs: number) => `${tool} did not finish within ${timeoutMs} ms`,
  mayHaveRun: (text: string) => `${text}; outcome unknown, it may have taken effect`,
  unknownTool: (tool: string) => `the tool "${tool}" is not available any more`,
  changedNothing: (tool: string, reason: string) => `${tool} failed, and changed nothing: ${reason}`,
  failed: (tool: string, reason: string) => `${tool} failed: ${reason}`,
  interrupted:
    'outcome unknown: the service stopped while this ran, and it is never run twice; check before doing it again',
  noOutput: 'Done; the tool gave nothing back.',
  verifierFailed: (reason: string) => `the verifier failed: ${reason}`,
  verifierTimedOut: (timeoutMs: number) => `did not finish within ${timeoutMs} ms`,
  verifierNotRun: (command: string, reason: string) => `${command} could not be run: ${reason}`,
  exited: (code: number | null) => `exited with ${code}`,
  killed: (signal: string) => `was ended by ${signal}`,
  modelAdapterFailed: 'the model adapter failed; see the log',
};
