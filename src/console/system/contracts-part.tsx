import { getContracts } from '../api/service-routes.ts';
import { LoadedPart } from './loaded-part.tsx';
import styles from './system.module.css';

/** The JSON Schemas of all that a model may say. */
export const ContractsPart = () => (
  <LoadedPart load={getContracts}>
    {(contracts) => (
      <div class={styles.part}>
        {Object.entries(contracts).map(([name, schema]) => (
          <details key={name} class={styles.card} open={name === 'thought'}>
            <summary>{name}</summary>
            <pre class={styles.code}>{JSON.stringify(schema, null, 2)}</pre>
          </details>
        ))}
      </div>
    )}
  </LoadedPart>
);
