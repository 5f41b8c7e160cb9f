import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { exportEvents } from '#functions/soc/siem-search/export-events.ts';
import { cancelExport, fileAnswer } from '#shared/platform/exports/exported-file.ts';
import { readUse } from '#shared/platform/quotas/places.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { EXPORT_EVENTS } from '#shared/soc/hunting/export.ts';
import { keepBatch } from '#shared/soc/siem/batches.ts';
import { startWorld, type World } from '../imports/world.ts';

const RULE = `title: A password is tried
logsource: { product: linux, service: sshd }
detection: { selection: { message|contains: Failed password }, condition: selection }
`;

let world: World;
let table: Table;
beforeAll(async () => {
  world = await startWorld();
  table = world.newOrganization();
  const content = Buffer.from(
    `<86>1 ${inSeconds(-60)} web-01 sshd 7 - - Failed password for bob from 10.0.0.7 port 1 ssh2`,
  );
  const batch = { collectorId: newId(), batchId: '1', source: 'app', format: 'auto', content } as const;
  await keepBatch({ table, connections: world.connections }, batch);
  await world.drain();
});
afterAll(() => world.stop());
afterEach(() => vi.restoreAllMocks());

const hunt = async () => {
  const body = { content: RULE, format: 'jsonl' } as const;
  return (await exportEvents({ connections: world.connections, table }, { waitSeconds: 0, body })).taskId;
};
const cancel = (taskId: string) => cancelExport(table, EXPORT_EVENTS, taskId);

async function expectCancelled(taskId: string) {
  const { connections } = world;
  const answer = await fileAnswer({ connections, table }, EXPORT_EVENTS, { taskId, waitSeconds: 0 });
  expect(answer).toMatchObject({ status: 'cancelled', file: null });
  expect((await readUse(table)).get('runningExports')).toBe(0);
  await expect(cancel(taskId)).rejects.toMatchObject({ code: 'conflict' });
}

test('a hunt that nobody has begun is cancelled, and the worker leaves it alone', async () => {
  const read = vi.spyOn(world.connections.bucket, 'get');
  const taskId = await hunt();
  expect(await cancel(taskId)).toMatchObject({ status: 'cancelled' });
  await world.drain();
  expect(read).not.toHaveBeenCalled();
  await expectCancelled(taskId);
});

test('a hunt that is being worked ends without a file, and its place is free', async () => {
  const taskId = await hunt();
  expect((await readUse(table)).get('runningExports')).toBe(1);
  const { bucket } = world.connections;
  const get = bucket.get.bind(bucket);
  const read = vi.spyOn(bucket, 'get').mockImplementationOnce(async (key) => {
    await cancel(taskId);
    return get(key);
  });
  await world.drain();
  expect(read).toHaveBeenCalledOnce();
  await expectCancelled(taskId);
});
