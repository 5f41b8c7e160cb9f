import { ApexAppliance } from '../entities/apex-appliance.ts';
import { updateMachine } from '../machines/machine.ts';
import { statusNow } from '../machines/presence.ts';
import type { Table } from '../table/table.ts';
import { type ApexPresence, apexMachines, apexPresences } from './presence.ts';

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
const Session = ApexAppliance.shape.session;

/** Appliances with what their calls say: the records themselves change only when one comes or goes. */
export async function showAppliances(table: Table, appliances: readonly ApexAppliance[]): Promise<ApexAppliance[]> {
  const rows = await table.rows(apexPresences).findMany(appliances.map(({ id }) => ({ machineId: id })));
  const byId = new Map(rows.map((row) => [row.machineId, row]));
  return appliances.map((appliance) => asSeen(appliance, byId.get(appliance.id)));
}

export async function showAppliance(table: Table, appliance: ApexAppliance): Promise<ApexAppliance> {
  return asSeen(appliance, await table.rows(apexPresences).find({ machineId: appliance.id }));
}

const asSeen = (appliance: ApexAppliance, presence: ApexPresence | undefined): ApexAppliance => ({
  ...appliance,
  status: statusNow(appliance, presence),
  lastSeenAt: presence?.lastSeenAt ? iso(presence.lastSeenAt) : appliance.lastSeenAt,
  runningTasks: Object.keys(presence?.leases ?? {}).length,
  session: sessionOf(presence),
});

const sessionOf = (presence: ApexPresence | undefined): ApexAppliance['session'] =>
  presence?.session ? Session.parse({ ...presence.session, updatedAt: iso(presence.session.updatedAt) }) : null;

/** What calls change all the time may come back as it was read a while ago. */
const LIVE = ['session', 'runningTasks'];

export async function updateAppliance(
  table: Table,
  { id, patch, ifMatch }: { id: string; patch: object; ifMatch: string | undefined },
): Promise<ApexAppliance> {
  const settings = Object.fromEntries(Object.entries(patch).filter(([name]) => !LIVE.includes(name)));
  return showAppliance(table, await updateMachine(apexMachines, table, { id, patch: settings, ifMatch }));
}
