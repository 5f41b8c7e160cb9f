import type * as z from 'zod';
import { forgetCredential, removeCredential } from '../auth/credential.ts';
import { mergePatch } from '../http/records.ts';
import { now } from '../runtime/clock.ts';
import { ordinalOf } from '../runtime/ids.ts';
import { retry } from '../runtime/retry.ts';
import type { Batch } from '../table/batch.ts';
import type { Entity, Stored } from '../table/entity.ts';
import type { RowKind } from '../table/io/row.ts';
import type { Page, Paging } from '../table/paging.ts';
import type { Table } from '../table/table.ts';
import { type KeyedPresence, type MachineKey, readPresences } from './keyed.ts';
import { type MachinePresence, type MachineStatus, statusNow } from './presence.ts';
import { type Presences, presenceRemoval, savePresenceOf } from './session.ts';

export type MachineRecord = Stored & { enabled: boolean; status: MachineStatus; lastSeenAt: string | null };

/** One kind of machine: its records, and the presences that its calls read instead. */
export type Machines<T extends MachineRecord, P extends KeyedPresence> = Presences<P> & {
  record: z.ZodObject;
  entity: Entity<T>;
  rows: RowKind<P, MachineKey>;
  newPresence: (machine: T) => P;
  /** The part of a presence that follows from the record. */
  profileOf: (machine: T) => Partial<P>;
};

/** The presence as it stands, made from the record where there is none yet. */
export async function readMachinePresence<T extends MachineRecord, P extends KeyedPresence>(
  machines: Machines<T, P>,
  table: Table,
  id: string,
): Promise<P | undefined> {
  const standing = await table.rows(machines.rows).find({ machineId: id }, true);
  if (standing) return standing;
  const machine = await table.find(machines.entity, id, true);
  return machine && machines.newPresence(machine);
}

/** Machines with what their calls say: the records themselves change only when a machine comes or goes. */
export async function showMachines<T extends MachineRecord, P extends KeyedPresence>(
  { rows }: Pick<Machines<T, P>, 'rows'>,
  table: Table,
  machines: readonly T[],
): Promise<T[]> {
  const ordinals = machines.map(({ id }) => ordinalOf(id));
  return allAsSeen(machines, await readPresences(rows, table, ordinals));
}

/** A page of machines, newest first, shown so: the presences are read beside the records, in three round trips. */
export async function listMachines<T extends MachineRecord, P extends KeyedPresence>(
  { entity, rows }: Pick<Machines<T, P>, 'entity' | 'rows'>,
  table: Table,
  query: Paging,
): Promise<Page<T>> {
  const { page, beside } = await table.listBeside(entity, query, (ordinals) => readPresences(rows, table, ordinals));
  return { ...page, data: allAsSeen(page.data, beside) };
}

function allAsSeen<T extends MachineRecord>(machines: readonly T[], presences: readonly KeyedPresence[]): T[] {
  const byId = new Map(presences.map((presence) => [presence.machineId, presence]));
  return machines.map((machine) => asSeen(machine, byId.get(machine.id)));
}

function asSeen<T extends MachineRecord>(machine: T, presence: MachinePresence | undefined): T {
  const lastSeenAt = presence?.lastSeenAt ? new Date(presence.lastSeenAt).toISOString() : machine.lastSeenAt;
  return { ...machine, status: statusNow(machine, presence), lastSeenAt };
}

type Change = { id: string; patch: object; ifMatch: string | undefined };

/** What calls change all the time may come back as it was read a while ago. */
const LIVE = ['status', 'lastSeenAt'];
const withoutLive = (patch: object): object =>
  Object.fromEntries(Object.entries(patch).filter(([name]) => !LIVE.includes(name)));

/** Changes a record and what the machine's calls read of it, together. */
export async function updateMachine<T extends MachineRecord, P extends KeyedPresence>(
  machines: Machines<T, P>,
  table: Table,
  { id, patch, ifMatch }: Change,
): Promise<T> {
  const { entity, record, rows } = machines;
  return retry(async () => {
    const machine = await table.get(entity, id, true);
    const before = await table.rows(rows).find({ machineId: id }, true);
    const read = asSeen(machine, before);
    const changes = mergePatch(record, read, { patch: withoutLive(patch), ifMatch });
    return changes ? change(machines, table, { machine, before, changes }) : read;
  });
}

type Changing<T, P> = { machine: T; before: P | undefined; changes: Partial<T> };

async function change<T extends MachineRecord, P extends KeyedPresence>(
  machines: Machines<T, P>,
  table: Table,
  { machine, before, changes }: Changing<T, P>,
): Promise<T> {
  const status = statusNow({ enabled: changes.enabled ?? machine.enabled }, before);
  const batch = table.batch();
  const next = table.changed<T, never>(machine, { ...changes, status } as Partial<T>);
  const updated = batch.update(machines.entity, machine, next);
  if (!before) await batch.commit();
  else {
    const online = status === 'disabled' ? before.online : status === 'online';
    await savePresenceOf(machines, table, {
      before,
      after: { ...before, ...machines.profileOf(updated), online },
      batch,
    });
  }
  return asSeen(updated, before);
}

/**
 * Removes a machine with its presence and its credential, which ends within a minute everywhere. `also` puts what else
 * changes with it into the batch.
 * @throws not_found
 */
export async function deleteMachine<T extends MachineRecord, P extends KeyedPresence>(
  machines: Machines<T, P>,
  table: Table,
  { id, also }: { id: string; also?: (batch: Batch, machine: T) => Promise<void> },
): Promise<{ id: string; deletedAt: string }> {
  const where = { organizationId: table.organizationId, id };
  await retry(async () => {
    const machine = await table.get(machines.entity, id, true);
    const presence = await table.rows(machines.rows).find({ machineId: id }, true);
    const batch = table.batch();
    batch.delete(machines.entity, machine);
    batch.write(removeCredential(where));
    if (presence) batch.write(...presenceRemoval(machines, table, presence));
    await also?.(batch, machine);
    await batch.commit();
  });
  forgetCredential(table.dynamo, where);
  return { id, deletedAt: now() };
}

/** The record was changed without its presence (the machine was linked again): its next call reads the record. */
export const markMachineStale = <T extends MachineRecord, P extends KeyedPresence>(
  machines: Machines<T, P>,
  table: Table,
  id: string,
): Promise<void> =>
  retry(async () => {
    const before = await table.rows(machines.rows).find({ machineId: id }, true);
    if (before) await savePresenceOf(machines, table, { before, after: { ...before, stale: true } });
  });
