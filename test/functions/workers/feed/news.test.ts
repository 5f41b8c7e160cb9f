import { afterAll, afterEach, expect, test } from 'vitest';
import { lookForNews, numberAll } from '#functions/workers/feed/index.ts';
import { zones } from '#shared/assets/zones/zone.ts';
import { readHead } from '#shared/platform/feed/log.ts';
import { numberChanges } from '#shared/platform/feed/number.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
afterEach(() => setClock());
afterAll(() => world.stop());

const addZone = (table: Table, name: string) => table.create(zones, { name, description: '', cidrs: [] });

/** The organizations whose views are woken. */
const woken: unknown[] = [];
const queues = {
  ...world.connections.queues,
  send: async (_queue: string, message: object) => void woken.push(Object.values(message)[0]),
};
const look = () => lookForNews({ ...world.connections, queues });

test('readers hear of changes at the first look after these can be numbered, of each organization', async () => {
  const [many, one, idle] = [world.newOrganization(), world.newOrganization(), world.newOrganization()];
  for (let n = 0; n < 20; n++) await addZone(many, `zone ${n}`);
  await addZone(one, 'plant');
  await look();
  expect(woken, 'a worker would only wait').toEqual([]);
  const later = nowMs() + 4_000;
  setClock(() => later);
  await look();
  for (const { organizationId } of [many, one]) expect(woken.filter((id) => id === organizationId)).toHaveLength(1);
  expect(woken).not.toContain(idle.organizationId);
});

test('readers hear of changes that somebody numbered already, as a read of the log does', async () => {
  const read = world.newOrganization();
  await addZone(read, 'plant');
  const later = nowMs() + 4_000;
  setClock(() => later);
  await numberChanges(read);
  woken.splice(0);
  await look();
  expect(woken.filter((id) => id === read.organizationId)).toHaveLength(1);
});

test('each run numbers what all organizations changed, however much one of them has', async () => {
  const [many, one] = [world.newOrganization(), world.newOrganization()];
  for (let n = 0; n < 450; n++) await addZone(many, `zone ${n}`);
  await addZone(one, 'plant');
  const later = nowMs() + 4_000;
  setClock(() => later);
  await numberAll(world.connections);
  expect((await readHead(many)).next).toBe(451);
  expect((await readHead(one)).next).toBe(2);
});
