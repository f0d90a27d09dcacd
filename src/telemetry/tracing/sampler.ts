import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

/** The sampler that `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` name; by default that of the caller's trace, and all where there is none. */
export const samplerOf = (name: string | undefined, argument: string | undefined): Sampler => {
  const [, parent = '', root = ''] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name ?? '') ?? [
    '',
    'parentbased_',
    'always_on',
  ];
  const ratio = Number(argument || 1);
  const sampler =
    root === 'always_off'
      ? new AlwaysOffSampler()
      : root === 'traceidratio'
        ? new TraceIdRatioBasedSampler(Number.isFinite(ratio) ? ratio : 1)
        : new AlwaysOnSampler();
  return parent === '' ? sampler : new ParentBasedSampler({ root: sampler });
};
