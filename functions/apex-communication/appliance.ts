import { type ApexPresence, apexMachines, apexPresences, readApexPresence } from '#shared/apex/presence.ts';
import {
  type ApexAppliance,
  type ApexDataSource,
  apexAppliances,
  type ReportedTask,
} from '#shared/entities/apex-appliance.ts';
import { namesUnknownTask } from '#shared/machines/leases.ts';
import { now } from '#shared/runtime/clock.ts';
import { ApiError } from '#shared/runtime/errors.ts';
import type { Batch } from '#shared/table/batch.ts';
import type { Table } from '#shared/table/table.ts';
import { saysNews } from './rules.ts';

type Said = Pick<ApexDataSource, 'version' | 'taskTypes'>;

/** The caller's presence. What a stale copy could get wrong is read again, consistently. @throws unauthorized */
export async function presenceOf(
  table: Table,
  machineId: string,
  { running, consistent }: { running?: readonly ReportedTask[]; consistent: boolean },
): Promise<ApexPresence> {
  const copy = await table.rows(apexPresences).find({ machineId }, consistent);
  const presence = copy && !namesUnknownTask(copy, running) ? copy : await readApexPresence(table, machineId);
  if (!presence) throw new ApiError('unauthorized', 'This appliance was removed. Link it again.');
  return presence;
}

/** The appliance's record learns that it is there and what it says of itself, where that is news. */
export async function describe(
  { table, batch }: { table: Table; batch: Batch },
  before: ApexPresence,
  said: Said,
): Promise<ApexPresence | undefined> {
  if (before.online && !before.stale && !saysNews(before, said)) return undefined;
  const appliance = await table.get(apexAppliances, before.machineId, true);
  const changes: Partial<ApexAppliance> = {
    status: appliance.enabled ? 'online' : 'disabled',
    lastSeenAt: now(),
    softwareVersion: said.version ?? appliance.softwareVersion,
    taskTypes: said.taskTypes ?? appliance.taskTypes,
  };
  const described = batch.update(apexAppliances, appliance, table.changed(appliance, changes));
  return { ...before, ...apexMachines.profileOf(described), stale: false };
}
