import { type Integrator, integrators } from '../entities/integrator.ts';
import { type LeasePresence, nextTimer } from '../leases/lease.ts';
import type { Machines } from '../machines/machine.ts';
import { firstPresence } from '../machines/presence.ts';
import { type MachineKey, presenceKey } from '../machines/presence-rows.ts';
import { defineRow } from '../table/io/row.ts';

/** All that a poll needs to know of its integrator, in one row. */
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
    ...{ capacity: null, maintenanceUntil: null, leases: {} },
  }),
};
