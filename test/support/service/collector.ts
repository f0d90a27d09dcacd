import { sendJson, serve } from '../http/local-server.ts';

/** A span as OTLP/JSON has it; attributes by name. */
export interface CollectedSpan {
  name: string;
  /** 1: internal, 3: a client's. */
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  /** 2: an error. */
  status: number;
  attributes: Record<string, unknown>;
  resource: Record<string, unknown>;
  milliseconds: number;
}

interface OtlpAttribute {
  key: string;
  value: Record<string, unknown>;
}

/** An export, as far as it is read here. */
interface OtlpRequest {
  resourceSpans: {
    resource: { attributes: OtlpAttribute[] };
    scopeSpans: {
      spans: {
        name: string;
        kind: number;
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        status: { code?: number };
        attributes: OtlpAttribute[];
        startTimeUnixNano: string;
        endTimeUnixNano: string;
      }[];
    }[];
  }[];
}

/** A data point of a histogram. */
export interface CollectedPoint {
  unit: string;
  count: number;
  sum: number;
  attributes: Record<string, unknown>;
}

/** An export of histograms, as far as it is read here. */
interface OtlpMetrics {
  resourceMetrics: {
    scopeMetrics: {
      metrics: {
        name: string;
        unit: string;
        histogram: { dataPoints: { count: number | string; sum: number; attributes: OtlpAttribute[] }[] };
      }[];
    }[];
  }[];
}

const named = (attributes: OtlpAttribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** Starts a collector for OTLP over HTTP as JSON, and keeps the spans and metrics that it receives. */
export const startCollector = async () => {
  const { origin, seen } = await serve((_, response) => sendJson(response, {}));
  const at = (path: string): unknown[] =>
    seen.filter(({ url }) => url === path).map(({ body }) => JSON.parse(body) as unknown);
  /** The data points of the last export of each histogram, by its name. */
  const histograms = (): Record<string, CollectedPoint[]> =>
    Object.fromEntries(
      at('/v1/metrics').flatMap((body) =>
        (body as OtlpMetrics).resourceMetrics.flatMap(({ scopeMetrics }) =>
          scopeMetrics.flatMap(({ metrics }) =>
            metrics.map(({ name, unit, histogram }) => [
              name,
              histogram.dataPoints.map(({ count, sum, attributes }) => ({
                unit,
                count: Number(count),
                sum,
                attributes: named(attributes),
              })),
            ]),
          ),
        ),
      ),
    );
  const spans = (): CollectedSpan[] =>
    at('/v1/traces').flatMap((body) =>
      (body as OtlpRequest).resourceSpans.flatMap((one) =>
        one.scopeSpans.flatMap((scope) =>
          scope.spans.map((span) => ({
            name: span.name,
            kind: span.kind,
            traceId: span.traceId,
            spanId: span.spanId,
            parentSpanId: span.parentSpanId,
            status: span.status.code ?? 0,
            attributes: named(span.attributes),
            resource: named(one.resource.attributes),
            milliseconds: Number((BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1_000_000n),
          })),
        ),
      ),
    );
  return { origin, seen, spans, histograms };
};
