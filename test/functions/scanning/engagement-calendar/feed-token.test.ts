import { expect, test } from 'vitest';
import { readerOf } from '#functions/scanning/engagement-calendar/feed-token.ts';
import { formatKey, newSecret } from '#shared/platform/auth/token-format.ts';
import { useInMemory } from '#shared/platform/http/fair-use.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();

test('invented tokens use up no request of the organization that they name', async () => {
  const { organizationId } = newOrganization(store.dynamo);
  const invented = () => formatKey('exf', { organizationId, id: newId() }, newSecret());
  for (let n = 0; n < 12; n++)
    await expect(readerOf(store.dynamo, invented())).rejects.toMatchObject({ code: 'unauthorized' });
  expect(useInMemory(organizationId)).toMatchObject({ requestsPerSecond: 0 });
});
