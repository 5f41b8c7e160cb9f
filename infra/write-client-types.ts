import { writeClientTypes } from './openapi/client-types.ts';

/** Run by `npm test` before the type check of the console. */
await writeClientTypes();
