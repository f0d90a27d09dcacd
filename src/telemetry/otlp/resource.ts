import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';

/** The service as a collector sees it. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence. */
export const resourceOf = (version: string): Resource =>
  defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'tripact', 'service.version': version }))
    .merge(detectResources({ detectors: [envDetector] }));
