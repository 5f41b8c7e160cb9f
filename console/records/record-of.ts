import type { components } from '../../dist/openapi.d.ts';

/** A record of the interface, by its name in the API reference. */
export type RecordOf<Name extends keyof components['schemas']> = components['schemas'][Name];
