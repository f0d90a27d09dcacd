import type { EffectSpan, Telemetry } from './port.ts';

const bothSpans = (outer: EffectSpan, inner: EffectSpan): EffectSpan => ({
  run: (perform) => outer.run(() => inner.run(perform)),
  ended: (outcome) => {
    outer.ended(outcome);
    inner.ended(outcome);
  },
});

const both = (first: Telemetry, second: Telemetry): Telemetry => ({
  committed: (report) => {
    first.committed(report);
    second.committed(report);
  },
  commitFailed: () => {
    first.commitFailed();
    second.commitFailed();
  },
  effectStarted: (effect, origin) =>
    bothSpans(first.effectStarted(effect, origin), second.effectStarted(effect, origin)),
  callbackPosted: (outcome) => {
    first.callbackPosted(outcome);
    second.callbackPosted(outcome);
  },
  callbackEnded: (outcome) => {
    first.callbackEnded(outcome);
    second.callbackEnded(outcome);
  },
});

/** All of them that there are, as one: each gets everything, in this order. */
export const allTelemetry = (first: Telemetry, ...others: (Telemetry | undefined | false)[]): Telemetry =>
  others.reduce<Telemetry>((all, other) => (other ? both(all, other) : all), first);
