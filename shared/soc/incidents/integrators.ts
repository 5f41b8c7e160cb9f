import { defineRow } from '#shared/platform/table/io/row.ts';
import { type LeasePresence, nextTimer } from '#shared/scanning/leases/lease.ts';
import type { Machines } from '#shared/scanning/machines/machines.ts';
import { firstPresence } from '#shared/scanning/machines/presence.ts';
import { type MachineKey, presenceKey } from '#shared/scanning/machines/presence-rows.ts';
import { type Integrator, integrators } from './integrator.ts';

/** Everything about an integrator that a poll reads, in one row. */
export type IntegratorPresence = LeasePresence & { softwareVersion: string | null };

export const integratorPresences = defineRow<IntegratorPresence, MachineKey>({
  name: 'integrator-presence',
  about: 'an integrator: when it was last seen, the response actions that it works on',
  key: presenceKey,
});

const profileOf = ({ name, enabled, softwareVersion }: Integrator) => ({ name, enabled, softwareVersion });

export const integratorMachines: Machines<Integrator, IntegratorPresence> = {
  kind: 'integrator',
  entity: integrators,
  rows: integratorPresences,
  nextTimer,
  profileOf,
  newPresence: (integrator) => ({
    ...firstPresence(integrator),
    ...profileOf(integrator),
    capacity: null,
    maintenanceUntil: null,
    leases: {},
  }),
};
