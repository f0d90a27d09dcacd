/** `npm run openapi`: writes the description of the API, which the service serves. A test holds that it is fresh. */
import { writeFileSync } from 'node:fs';
import manifest from 'tripact/package.json' with { type: 'json' };
import { describeApi } from './describe.ts';

const description = await describeApi(manifest.version);
writeFileSync(new URL('./openapi.json', import.meta.url), `${JSON.stringify(description)}\n`);
