import * as z from 'zod';
import { recordFields } from '../http/records.ts';
import { count, defineEntity } from '../table/entity.ts';
import { linkFields, machineSettings, machineState, toldOfMachines } from './machine.ts';

/** The body of an integrator's link request. */
export const IntegratorDataSource = z.object(linkFields).meta({ id: 'IntegratorDataSource' });
export type IntegratorDataSource = z.infer<typeof IntegratorDataSource>;

/** A machine that connects the service with the systems of a customer. */
export const Integrator = z.object({ ...recordFields, ...machineSettings, ...machineState }).meta({ id: 'Integrator' });
export type Integrator = z.infer<typeof Integrator>;

export const integrators = defineEntity<Integrator>(Integrator, {
  name: 'integrator',
  told: toldOfMachines,
  facets: ({ status }) => count({ status }),
  tallies: ({ zone }) => [{ facet: 'zone', value: zone }],
  search: ({ name, hostname, zone, tags }) => [name, hostname, zone, ...tags],
  unique: ({ instanceId }) => ({ instanceId }),
});
