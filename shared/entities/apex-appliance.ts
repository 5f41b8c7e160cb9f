import * as z from 'zod';
import { recordFields, Timestamp } from '../http/records.ts';
import { count, defineEntity } from '../table/entity.ts';
import { linkFields, machineSettings, machineState } from './machine.ts';

const work = {
  taskTypes: z.array(z.string().max(60)).max(50).default([]),
  capacity: z.int().min(0).max(50).nullable().default(null).meta({ description: 'tasks at once; null: as it asks' }),
};

/** What an Apex appliance sends to link. */
export const ApexDataSource = z
  .object({
    ...linkFields,
    taskTypes: work.taskTypes.optional(),
    capacity: work.capacity.optional(),
  })
  .meta({ id: 'ApexDataSource' });
export type ApexDataSource = z.infer<typeof ApexDataSource>;

/** An appliance that carries out campaigns. */
export const ApexAppliance = z
  .object({
    ...recordFields,
    ...machineSettings,
    ...machineState,
    ...work,
    maintenanceUntil: Timestamp.nullable().default(null),
    notes: z.string().max(2000).nullable().default(null),
  })
  .meta({ id: 'ApexAppliance' });
export type ApexAppliance = z.infer<typeof ApexAppliance>;

export const apexAppliances = defineEntity<ApexAppliance>(ApexAppliance, {
  name: 'apex-appliance',
  facets: ({ status }) => count({ status }),
  tallies: ({ zone }) => [{ facet: 'zone', value: zone }],
  search: ({ name, hostname, zone, tags }) => [name, hostname, zone, ...tags],
  unique: ({ instanceId }) => ({ instanceId }),
});
