import { expect, test } from 'vitest';
import { end, makeTask, openEngagement, take } from '#test/support/apex.ts';
import { startSystem } from '#test/support/system.ts';

const system = startSystem();

test('tasks that would wait for each other are refused, for none of them would ever run', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const engagementId = await openEngagement(organization);
  const first = await makeTask(organization, engagementId);
  const second = await makeTask(organization, engagementId, { dependsOn: [first.id] });
  const third = await makeTask(organization, engagementId, { dependsOn: [second.id] });
  for (const dependsOn of [[first.id], [second.id], [third.id]])
    expect(await admin.call('updateApexTask', { params: { id: first.id }, body: { dependsOn } })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', details: [{ path: 'dependsOn' }] },
    });
  const appliance = await organization.machine('apex');
  expect((await take(appliance)).map(({ id }) => id)).toEqual([first.id]);
});

test('what another task waits for stays, so that its success is not forgotten', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const engagementId = await openEngagement(organization);
  const appliance = await organization.machine('apex');
  const [one, other] = [await makeTask(organization, engagementId), await makeTask(organization, engagementId)];
  const waiting = await makeTask(organization, engagementId, { dependsOn: [one.id, other.id] });
  await take(appliance);
  await end(appliance, one.id);
  expect(await admin.call('deleteApexTask', { params: { id: one.id } })).toMatchObject({
    status: 400,
    body: { code: 'conflict', details: [{ path: 'dependsOn', message: expect.stringContaining(waiting.id) }] },
  });
  await end(appliance, other.id);
  expect((await take(appliance)).map(({ id }) => id)).toEqual([waiting.id]);
  await admin.ok('deleteApexTask', { params: { id: one.id } });
});
