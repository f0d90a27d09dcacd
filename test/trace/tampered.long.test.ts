import { tamperedTraces } from './tampered-traces.ts';

tamperedTraces(1);
