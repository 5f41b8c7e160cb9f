import { expect, test } from 'vitest';
import { readerOf } from '#functions/engagement-calendar/feed-token.ts';
import { formatKey, newSecret } from '#shared/auth/token-format.ts';
import { useInMemory } from '#shared/http/fair-use.ts';
import { newId } from '#shared/runtime/ids.ts';
import { newOrganization, useStore } from '#test/support/store.ts';

const store = useStore();

test('invented tokens use up no request of the organization that they name', async () => {
  const { organizationId } = newOrganization(store.dynamo);
  const invented = () => formatKey('exf', { organizationId, id: newId() }, newSecret());
  for (let n = 0; n < 12; n++)
    await expect(readerOf(store.dynamo, invented())).rejects.toMatchObject({ code: 'unauthorized' });
  expect(useInMemory(organizationId)).toMatchObject({ requestsPerSecond: 0 });
});
