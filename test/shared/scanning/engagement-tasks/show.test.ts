import { expect, test } from 'vitest';
import { newId } from '#shared/platform/runtime/ids.ts';
import { withCounts } from '#shared/scanning/engagement-tasks/show.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();

test('an engagement without tasks shows none of any kind, and the status that it has', async () => {
  const [none, stale] = [0, 7].map((n) => ({ pending: n, running: n, completed: n, failed: n, cancelled: n }));
  const engagement = { id: newId(), status: 'scheduled', lastRun: null, nextRunAt: null, name: 'kept' } as const;
  const shown = await withCounts(newOrganization(store.dynamo), {
    ...engagement,
    tasks: { ...stale, unassignable: 7 } as never,
  });
  expect(shown).toEqual({ ...engagement, tasks: { ...none, unassignable: 0 } });
});
