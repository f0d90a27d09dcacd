import type { TraceEntry } from '../../../contracts/trace.ts';
import { traceOf } from '../golden/moments.ts';
import { openTask } from '../machine/task-driver.ts';

/** A trace whose goal and tool result try to escape from the text that quotes them. */
export const hostileTrace = (): TraceEntry[] =>
  traceOf(
    openTask({ goal: `\`\${process.exit(9)}\` '); throw new Error("out"); // \u2028 \u202e */ \\` })
      .plans('Look')
      .acts('x', 'search')
      .observes("'];\nprocess.exit(8);//\u202e"),
  );
