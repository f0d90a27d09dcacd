import type { TraceEntry } from '../../../contracts/trace.ts';
import { goldenSession } from '../golden/session.ts';

/** A trace whose goal and tool result try to break out of the text they are quoted in. */
export const hostileTrace = (): TraceEntry[] => {
  const session = goldenSession('s1');
  const task = session.openTask(`\`\${process.exit(9)}\` '); throw new Error("out"); // \u2028 \u202e */ \\`);
  task.model('{"status":"planned","plan":["Look"]}');
  task.model('{"status":"continue","current_step":"x","next_action":{"tool":"internet_search","input":"x"}}');
  task.tool("'];\nprocess.exit(8);//\u202e");
  return session.lines;
};
