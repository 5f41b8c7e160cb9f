import * as z from 'zod';
import { objectNamed, recordFields } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { linkFields, machineSettings, machineState, plainMachine } from '#shared/scanning/machines/machine.ts';
import { DeclaredSource } from './siem-source.ts';

/** The body of a collector's link request, and of its status. */
export const CollectorDataSource = objectNamed('CollectorDataSource', {
  ...linkFields,
  sources: z
    .array(DeclaredSource)
    .max(100)
    .optional()
    .meta({
      description: 'sources of its events; the first batch of a source also creates it',
      example: [{ name: 'web-01 auth.log', kind: 'file', format: 'syslog' }],
    }),
});
export type CollectorDataSource = z.infer<typeof CollectorDataSource>;

/** A machine that collects logs and events at their source. */
export const Collector = z.object({ ...recordFields, ...machineSettings, ...machineState }).meta({ id: 'Collector' });
export type Collector = z.infer<typeof Collector>;

export const collectors = defineEntity<Collector>(Collector, { name: 'collector', together: true, ...plainMachine });
