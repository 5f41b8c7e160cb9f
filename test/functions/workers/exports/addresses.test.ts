import { afterAll, afterEach, expect, test } from 'vitest';
import { exportAnswer, queueExport } from '#functions/findings/finding-exports/export.ts';
import { queueMany } from '#shared/findings/bulk/queue.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { findingDraft } from '../../../support/findings.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const caller = { kind: 'user', id: 'ann', name: 'Ann', organizationId: newId(), role: 'analyst' } as const;
const start = Math.floor(Date.now() / 1000) * 1000;
const after = (seconds: number) => new Date(start + seconds * 1000).toISOString();

test('an exported file says its name, until when it is kept, and until when its address opens it', async () => {
  setClock(() => start);
  const table = world.newOrganization();
  await table.create(findings, findingDraft(after(0)));
  const request = { connections: world.connections, table };
  const { taskId } = await queueExport({ ...request, caller }, { format: 'csv', filter: {} });
  expect(await exportAnswer(request, { taskId, waitSeconds: 0 })).toMatchObject({
    status: 'queued',
    file: null,
    error: null,
  });
  await world.drain();
  setClock(() => start + 60_000);
  const { file } = await exportAnswer(request, { taskId, waitSeconds: 0 });
  expect(file).toMatchObject({
    name: `findings-${after(0).slice(0, 10)}.csv`,
    mediaType: 'text/csv; charset=utf-8',
    findings: 1,
    urlExpiresAt: after(960),
    expiresAt: after(7 * 86_400),
  });
  expect(file).not.toHaveProperty('format');
});

test('a task that is no export has no file', async () => {
  const table = world.newOrganization();
  const input = { changes: { tags: ['x'] }, approver: { id: 'ann', name: 'Ann' } };
  const wanted = { ids: [newId()] };
  const { taskId } = await queueMany(
    { connections: world.connections, table },
    { operation: 'update_findings', wanted, input },
  );
  await world.drain();
  const request = { connections: world.connections, table };
  await expect(exportAnswer(request, { taskId, waitSeconds: 0 })).rejects.toMatchObject({ code: 'not_found' });
});

test('twenty exports of an organization wait or run at once; each leaves its place when it ends, or after a day', async () => {
  setClock(() => start);
  const table = world.newOrganization();
  const request = { connections: world.connections, table, caller };
  const queue = () => queueExport(request, { format: 'csv', filter: {} });
  const refused = { code: 'limit_exceeded' };
  for (let n = 0; n < 20; n++) expect((await queue()).status).toBe('queued');
  await expect(queue()).rejects.toMatchObject(refused);
  expect(world.messages).toHaveLength(20);
  expect(await world.deliver()).toBe(true);
  expect((await queue()).status).toBe('queued');
  await expect(queue()).rejects.toMatchObject(refused);
  setClock(() => start + 86_400_000 - 1);
  await expect(queue()).rejects.toMatchObject(refused);
  setClock(() => start + 86_400_000 + 1);
  expect((await queue()).status).toBe('queued');
  setClock();
  await world.drain();
});
