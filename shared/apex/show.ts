import { ApexAppliance, apexAppliances, type PublicApexAppliance } from '../entities/apex-appliance.ts';
import { readPresences } from '../machines/keyed.ts';
import { updateMachine } from '../machines/machine.ts';
import { statusNow } from '../machines/presence.ts';
import { ordinalOf } from '../runtime/ids.ts';
import type { Page, Paging } from '../table/paging.ts';
import type { Table } from '../table/table.ts';
import { type ApexPresence, apexMachines, apexPresences } from './presence.ts';

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
const Session = ApexAppliance.shape.session;

/** Appliances with what their calls say: the records themselves change only when one comes or goes. */
export async function showAppliances(table: Table, appliances: readonly ApexAppliance[]): Promise<ApexAppliance[]> {
  const ordinals = appliances.map(({ id }) => ordinalOf(id));
  return allAsSeen(appliances, await readPresences(apexPresences, table, ordinals));
}

/** A page of appliances, newest first, shown so: the presences are read beside the records, in three round trips. */
export async function listAppliances(table: Table, query: Paging): Promise<Page<ApexAppliance>> {
  const read = (ordinals: number[]) => readPresences(apexPresences, table, ordinals);
  const { page, beside } = await table.listBeside(apexAppliances, query, read);
  return { ...page, data: allAsSeen(page.data, beside) };
}

function allAsSeen(appliances: readonly ApexAppliance[], presences: readonly ApexPresence[]): ApexAppliance[] {
  const byId = new Map(presences.map((presence) => [presence.machineId, presence]));
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
  record: typeof PublicApexAppliance = ApexAppliance,
): Promise<ApexAppliance> {
  const settings = Object.fromEntries(Object.entries(patch).filter(([name]) => !LIVE.includes(name)));
  return showAppliance(
    table,
    await updateMachine({ ...apexMachines, record }, table, { id, patch: settings, ifMatch }),
  );
}
