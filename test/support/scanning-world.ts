import { Readable } from 'node:stream';
import { expect } from 'vitest';
import { completeAsScanner } from '#functions/scanning/scanner-communication/complete.ts';
import { pollAsScanner } from '#functions/scanning/scanner-communication/poll.ts';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { credentials } from '#shared/platform/auth/credential.ts';
import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import { type Draft, openTable, type Table } from '#shared/platform/table/table.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { type Scanner, type ScannerDataSource, scanners } from '#shared/scanning/scanners/scanner.ts';
import type { KnownVersions } from '#shared/scanning/scanners/versions.ts';
import { createEngagementTask } from './engagement-worker.ts';
import { scannerDraft } from './scanning.ts';
import { newOrganization } from './store.ts';

type Sent = { job: string; message: unknown };
export type World = ReturnType<typeof newWorld>;

/** A clock that tests move. */
export function stopClock(start = Date.parse('2025-03-03T10:00:00Z')) {
  let time = start;
  setClock(() => time);
  return {
    pass(seconds: number) {
      time += seconds * 1000;
    },
  };
}

/** Bucket and queues of a test: what was put and what was sent. */
export function fakeConnections(dynamo: Dynamo) {
  const sent: Sent[] = [];
  const objects = new Map<string, string | Uint8Array>();
  const bucket: Partial<Bucket> = {
    put: async (key, body) => void objects.set(key, body),
    get: async (key) => (objects.has(key) ? Buffer.from(objects.get(key) ?? '') : undefined),
    stream: async (key) => Readable.from([Buffer.from(objects.get(key) ?? '')]),
  };
  const queues = { send: async (job: string, message: unknown) => void sent.push({ job, message }) };
  return { connections: { dynamo, bucket, queues } as unknown as Connections, sent, objects };
}

type Linking<T extends Stored> = { entity: Entity<T>; draft: Draft<T> };

/** A machine with a credential that no secret opens. */
export async function linkIn<T extends Stored>(table: Table, { entity, draft }: Linking<T>): Promise<T> {
  const machine = await table.create(entity, draft);
  await table.rows(credentials).put({ id: machine.id, kind: 'machine', name: 'test', secrets: [] });
  return machine;
}

/** An organization with scanners and engagements, driven through the functions that the Lambdas run. */
export function newWorld(dynamo: Dynamo, table: Table = newOrganization(dynamo)) {
  const { connections, sent, objects } = fakeConnections(dynamo);
  const as = (id: string) => openTable(dynamo, table.organizationId, { kind: 'machine', id, name: id });
  return {
    table,
    connections,
    sent,
    objects,
    link: (more: Partial<Scanner> = {}) => linkIn(table, { entity: scanners, draft: scannerDraft(more) }),
    engage: (targets: string[], more: object = {}) =>
      createEngagementTask({ table, connections }, { targets, ...more }),
    poll: (scannerId: string, body: Partial<ScannerDataSource> = {}, versions?: KnownVersions) =>
      pollAsScanner(as(scannerId), {
        machineId: scannerId,
        body: { capacity: 1, ...body },
        address: '192.0.2.1',
        versions,
      }),
    complete: (scannerId: string, results: unknown[]) =>
      completeAsScanner({ connections, table: as(scannerId), machineId: scannerId }, results),
    sweep: () => sweep(connections),
    tasks: async () => (await table.list(scannerTasks, { paginateFrom: 0, paginateSize: 500 })).data,
    async expectExactCounters() {
      for (const entity of [scannerTasks, scanners, engagements]) {
        const { differences, unsettled } = await verify(table, entity as never);
        expect({ entity: entity.name, differences, unsettled }).toEqual({
          entity: entity.name,
          differences: [],
          unsettled: 0,
        });
      }
    },
  };
}
