import { expect, test } from 'vitest';
import { create, read } from '../support/engagements.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();

test('an engagement of people starts right after its approval, and shows who approved it and why', async () => {
  const organization = await system.newOrganization();
  const viewer = await organization.withRole('viewer');
  const { id } = await create(viewer, { kind: 'penetration_test', taskTypes: [] });
  const params = { id };
  expect(await viewer.ok('getEngagement', { params })).not.toHaveProperty('approvedBy');
  const approved = await organization.admin.ok('approveEngagement', { params, body: { reason: 'the owner agreed' } });
  expect(approved).toMatchObject({ status: 'approved', statusReason: null, approvedAt: expect.any(String) });
  expect(approved.approvedBy).toEqual({
    id: expect.any(String),
    name: expect.any(String),
    reason: 'the owner agreed',
  });
  expect(approved.approvedBy?.id).not.toBe(approved.requestedBy.id);
  expect(await organization.admin.ok('startEngagement', { params })).toMatchObject({ status: 'running' });
  const again = await organization.admin.call('startEngagement', { params });
  expect(again.body).toMatchObject({
    message: 'This engagement is running: it cannot start; from there it can only complete or cancel.',
  });
  const isGoing = ({ status }: { status: string }) => ['queued', 'running'].includes(status);
  await expect.poll(async () => (await organization.admin.ok('listTasks')).data.filter(isGoing)).toEqual([]);
  expect((await read(organization, id)).status).toBe('running');
});
