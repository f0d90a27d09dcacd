import type { TripactConfig } from './define-config.ts';

/** The configuration with agents and executors that answer by the service's model, as none has one of its own. */
export const withOneModel = (file: TripactConfig): TripactConfig => {
  const { agents, executors, ...others } = file;
  return {
    ...others,
    ...(executors !== undefined && { executors: executors.map(({ model: _, ...executor }) => executor) }),
    ...(agents !== undefined && {
      agents: Object.fromEntries(Object.entries(agents).map(([name, { model: _, ...agent }]) => [name, agent])),
    }),
  };
};
