import type { Telemetry } from './port.ts';

/** Several telemetries as one: each gets every report, in this order. */
export const allTelemetry = (...parts: (Telemetry | undefined | false)[]): Telemetry => {
  const all = parts.filter((part) => part !== undefined && part !== false);
  return {
    committed: (report) => {
      for (const each of all) each.committed(report);
    },
    happened: (happening) => {
      for (const each of all) each.happened(happening);
    },
    effectStarted: (effect, origin) => {
      const spans = all.map((each) => each.effectStarted(effect, origin));
      return {
        run: (perform) => spans.reduceRight((inner, span) => () => span.run(inner), perform)(),
        ended: (outcome, usage, told) => {
          for (const span of spans) span.ended(outcome, usage, told);
        },
      };
    },
  };
};
