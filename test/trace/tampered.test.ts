import { tamperedTraces } from './tampered-traces.ts';

// `npm run test:long` tampers with every line.
tamperedTraces(4);
