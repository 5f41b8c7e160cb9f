import { expect, test } from 'vitest';
import { updateEngagement } from '#functions/engagements/update.ts';
import { type Engagement, engagements } from '#shared/entities/engagement.ts';
import { createEngagementTask } from '#test/support/engagement-worker.ts';
import { newWorld, stopClock } from '#test/support/scanning-world.ts';
import { useStore } from '#test/support/store.ts';

const store = useStore('test');

/** An engagement that starts in an hour. */
async function scheduled() {
  stopClock(Date.parse('2025-03-03T09:00:00Z'));
  const { table, connections } = newWorld(store.dynamo);
  const more = { schedule: { startAt: '2025-03-03T10:00:00Z', recurrence: null, timeZone: 'UTC' } };
  const { id } = await createEngagementTask({ table, connections }, { targets: ['10.0.0.1'], more });
  const caller = { kind: 'user', id: 'x', name: 'x', role: 'analyst', organizationId: table.organizationId } as const;
  const update = (patch: object) =>
    updateEngagement({ table, caller: caller as never, id }, { patch, ifMatch: undefined });
  return { table, id, update };
}

test.each<Engagement['status']>(['completed', 'cancelled', 'rejected'])(
  'an engagement that is %s stays as it ended',
  async (status) => {
    const { table, id, update } = await scheduled();
    const before = await table.modify(engagements, id, () => ({ status }));
    for (const patch of [{ title: 'Another' }, { intensity: 'low' }])
      await expect(update(patch)).rejects.toMatchObject({
        code: 'conflict',
        message: `This engagement is ${status}: it cannot be changed any more.`,
      });
    expect(await table.get(engagements, id, true)).toMatchObject({ title: 'Test', version: before?.version });
  },
);

test('an engagement that never ran begins at once when its start is taken away', async () => {
  const { update } = await scheduled();
  expect(await update({ schedule: { startAt: null } })).toMatchObject({
    status: 'scheduled',
    nextRunAt: '2025-03-03T09:00:00.000Z',
  });
});
