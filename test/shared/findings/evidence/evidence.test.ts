import { afterAll, afterEach, expect, test } from 'vitest';
import { evidenceKey, evidenceOn, evidenceRows, removeEvidence } from '#shared/findings/evidence/evidence.ts';
import { evidenceDownload, evidenceOf } from '#shared/findings/evidence/evidence-download.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId, newIdAt } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { startWorld } from '../../../functions/workers/imports/world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

let minutes = 0;
async function keep(table: Table, findingId: string, name: string) {
  const start = Date.parse('2026-03-10T12:00:00Z');
  minutes += 1;
  setClock(() => start + minutes * 60_000);
  const file = {
    id: newIdAt(minutes),
    findingId,
    name,
    kind: 'text' as const,
    note: null,
    mediaType: 'text/plain',
    sizeBytes: 1,
    sha256: 'x',
    createdAt: '2026-03-10T12:00:00.000Z',
    createdBy: table.actor,
  };
  setClock();
  await table.rows(evidenceRows).put(file);
  await world.connections.bucket.put(evidenceKey(table, file), name);
  return file;
}

test('a finding shows its files and those of findings that became one with it, the newest first', async () => {
  const table = world.newOrganization();
  const [own, merged, without, stranger] = [newId(), newId(), newId(), newId()];
  const files = [];
  for (const [of, name] of [
    [own, 'a'],
    [merged, 'b'],
    [own, 'c'],
    [without, 'd'],
    [stranger, 'e'],
  ] as const)
    files.push(await keep(table, of, name));
  const mergedFrom = [
    { id: merged, evidenceFiles: 1 },
    { id: without, evidenceFiles: 0 },
  ];
  const shown = { id: own, evidenceFiles: 2, mergedFrom };
  expect((await evidenceOn(table, shown)).map(({ name }) => name)).toEqual(['c', 'b', 'a']);
  expect((await evidenceOn(table, { id: own, mergedFrom })).map(({ name }) => name)).toEqual(['b']);
  const [first, second, , , other] = files;
  expect(await evidenceOf(table, shown, second?.id ?? '')).toEqual(second);
  await expect(evidenceOf(table, shown, other?.id ?? '')).rejects.toMatchObject({ code: 'not_found' });
  if (!first) throw new Error('five files were kept');
  await removeEvidence(world.connections.bucket, table, [first]);
  expect((await evidenceOn(table, shown)).map(({ name }) => name)).toEqual(['c', 'b']);
  expect(await world.connections.bucket.get(evidenceKey(table, first))).toBeUndefined();
});

test('the address of a file opens it for five minutes, and says so', async () => {
  const table = world.newOrganization();
  const file = await keep(table, newId(), 'a picture');
  const start = Math.floor(Date.now() / 1000) * 1000;
  setClock(() => start);
  const place = { connections: world.connections, table };
  const { downloadUrl, expiresAt, ...shown } = await evidenceDownload(place, file);
  expect(shown).toEqual(file);
  expect(expiresAt).toBe(new Date(start + 300_000).toISOString());
  expect(new URL(downloadUrl).searchParams.get('X-Amz-Expires')).toBe('300');
  expect(await (await fetch(downloadUrl)).text()).toBe('a picture');
});
