import type * as z from 'zod';
import { enableCredential, forgetCredential, removeCredential } from '#shared/platform/auth/credential.ts';
import { type Deletion, mergePatch } from '#shared/platform/http/records.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import type { RowKind } from '#shared/platform/table/io/row.ts';
import type { ListQuery } from '#shared/platform/table/list.ts';
import type { Page } from '#shared/platform/table/paging.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type MachinePresence, type MachineStatus, statusNow } from './presence.ts';
import { type MachineKey, readPresences } from './presence-rows.ts';
import { type Presences, presenceRemoval, savePresence } from './save-presence.ts';

export type MachineRecord = Stored & { enabled: boolean; status: MachineStatus; lastSeenAt: string | null };

/** One kind of machine: its records, and the presences that its calls read instead. */
export type Machines<T extends MachineRecord, P extends MachinePresence> = Presences<P> & {
  entity: Entity<T>;
  rows: RowKind<P, MachineKey>;
  newPresence: (machine: T) => P;
  /** The part of a presence that is copied from the record. */
  profileOf: (machine: T) => Partial<P>;
  /** Fields of the record, besides status and last call, that are shown from the presence. */
  liveFields?: (presence: P | undefined) => Partial<T>;
};

/** The current presence, made from the record where none exists yet. */
export async function readMachinePresence<T extends MachineRecord, P extends MachinePresence>(
  machines: Machines<T, P>,
  table: Table,
  id: string,
): Promise<P | undefined> {
  const current = await table.rows(machines.rows).find({ machineId: id }, true);
  if (current) return current;
  const machine = await table.find(machines.entity, id, true);
  return machine && machines.newPresence(machine);
}

/** Machines with what their calls say: the records themselves change only when a machine comes or goes. */
export async function showMachines<T extends MachineRecord, P extends MachinePresence>(
  machines: Machines<T, P>,
  table: Table,
  records: readonly T[],
): Promise<T[]> {
  const ordinals = records.map(({ id }) => ordinalOf(id));
  return allAsSeen(machines, records, await readPresences(machines.rows, table, ordinals));
}

/** @throws not_found */
export async function showMachine<T extends MachineRecord, P extends MachinePresence>(
  machines: Machines<T, P>,
  table: Table,
  id: string,
): Promise<T> {
  const machine = await table.get(machines.entity, id);
  return asSeen(machines, machine, await table.rows(machines.rows).find({ machineId: id }));
}

/** A page of machines, newest first, shown the same way: presences are read beside the records, in three round trips. */
export async function listMachines<T extends MachineRecord, P extends MachinePresence>(
  machines: Machines<T, P>,
  table: Table,
  query: ListQuery,
): Promise<Page<T>> {
  const read = (ordinals: number[]) => readPresences(machines.rows, table, ordinals);
  const { page, beside } = await table.listBeside(machines.entity, query, read);
  return { ...page, data: allAsSeen(machines, page.data, beside) };
}

function allAsSeen<T extends MachineRecord, P extends MachinePresence>(
  machines: Machines<T, P>,
  records: readonly T[],
  presences: readonly P[],
): T[] {
  const byId = new Map(presences.map((presence) => [presence.machineId, presence]));
  return records.map((machine) => asSeen(machines, machine, byId.get(machine.id)));
}

function asSeen<T extends MachineRecord, P extends MachinePresence>(
  { liveFields }: Machines<T, P>,
  machine: T,
  presence: P | undefined,
): T {
  const lastSeenAt = presence?.lastSeenAt ? new Date(presence.lastSeenAt).toISOString() : machine.lastSeenAt;
  return { ...machine, status: statusNow(machine, presence), lastSeenAt, ...liveFields?.(presence) };
}

type PatchRequest = { id: string; record: z.ZodObject; patch: object; ifMatch: string | undefined };

/** Changes a machine at a caller's request. */
export const updateMachine = <T extends MachineRecord, P extends MachinePresence>(
  machines: Machines<T, P>,
  table: Table,
  { id, record, patch, ifMatch }: PatchRequest,
): Promise<T> => modifyMachine(machines, table, { id, decide: (read) => mergePatch(record, read, { patch, ifMatch }) });

type Decision<T> = { id: string; decide: (read: T) => Partial<T> | undefined };

/** Changes a record and its copy in the presence together, by a decision on the current state of both. */
export const modifyMachine = <T extends MachineRecord, P extends MachinePresence>(
  machines: Machines<T, P>,
  table: Table,
  { id, decide }: Decision<T>,
): Promise<T> =>
  retry(async () => {
    const machine = await table.get(machines.entity, id, true);
    const before = await table.rows(machines.rows).find({ machineId: id }, true);
    const read = asSeen(machines, machine, before);
    const changes = decide(read);
    return changes ? change(machines, table, { machine, before, changes }) : read;
  });

type RecordChange<T, P> = { machine: T; before: P | undefined; changes: Partial<T> };

async function change<T extends MachineRecord, P extends MachinePresence>(
  machines: Machines<T, P>,
  table: Table,
  { machine, before, changes }: RecordChange<T, P>,
): Promise<T> {
  const status = statusNow({ enabled: changes.enabled ?? machine.enabled }, before);
  const batch = table.batch();
  const next = table.changed<T, never>(machine, { ...changes, status } as Partial<T>);
  const updated = batch.update(machines.entity, machine, next);
  const credential = { organizationId: table.organizationId, id: machine.id };
  if (updated.enabled !== machine.enabled) batch.write(enableCredential(credential, updated.enabled));
  if (!before) await batch.commit();
  else {
    const online = status === 'disabled' ? before.online : status === 'online';
    const after = { ...before, ...machines.profileOf(updated), online };
    await savePresence(machines, table, { before, after, batch });
  }
  forgetCredential(table.dynamo, credential);
  return asSeen(machines, updated, before);
}

/**
 * Records with the batch that the record's machine is online, and its own report.
 * @returns the presence with a new copy of the record
 */
export async function noteOnline<T extends MachineRecord, P extends MachinePresence>(
  { entity, profileOf }: Machines<T, P>,
  { table, batch }: { table: Table; batch: Batch },
  { before, fieldsOf }: { before: P; fieldsOf: (machine: T) => Partial<T> },
): Promise<P> {
  const machine = await table.get(entity, before.machineId, true);
  const status = machine.enabled ? 'online' : 'disabled';
  const next = table.changed<T, never>(machine, { ...fieldsOf(machine), status, lastSeenAt: now() });
  return { ...before, ...profileOf(batch.update(entity, machine, next)), stale: false };
}

/**
 * Removes a machine with its presence and its credential, which ends within a minute everywhere. `also` puts further
 * changes into the batch.
 * @throws not_found
 */
export async function deleteMachine<T extends MachineRecord, P extends MachinePresence>(
  machines: Machines<T, P>,
  table: Table,
  { id, also }: { id: string; also?: (batch: Batch, machine: T) => Promise<void> },
): Promise<Deletion> {
  const credential = { organizationId: table.organizationId, id };
  await retry(async () => {
    const machine = await table.get(machines.entity, id, true);
    const presence = await table.rows(machines.rows).find({ machineId: id }, true);
    await table.delete(machines.entity, machine, async (batch) => {
      batch.write(removeCredential(credential));
      if (presence) batch.write(...presenceRemoval(machines, table, presence));
      await also?.(batch, machine);
    });
  });
  forgetCredential(table.dynamo, credential);
  return { id, deletedAt: now() };
}

/** Marks the presence as older than the record (the machine was linked again): its next call copies the record. */
export const markMachineStale = <T extends MachineRecord, P extends MachinePresence>(
  machines: Machines<T, P>,
  table: Table,
  id: string,
): Promise<void> =>
  retry(async () => {
    const before = await table.rows(machines.rows).find({ machineId: id }, true);
    if (before) await savePresence(machines, table, { before, after: { ...before, stale: true } });
  });
