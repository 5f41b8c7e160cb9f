import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { openSealed, removeSecret, sealNewWrite, sealWrite } from '#shared/credentials/sealed.ts';
import { ensureSealingKey } from '#shared/platform/crypto/sealing-key.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Deployment, startDeployment } from '../../support/credentials-store.ts';
import { newOrganization } from '../../support/store.ts';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment();
  await ensureSealingKey(deployment.connections);
});
afterAll(() => deployment.store.stop());

const schema = z.object({ password: z.string() });
const owner = (id: string) => ({ purpose: 'integration', id }) as const;
const open = (table: Table, id: string) =>
  openSealed({ connections: deployment.connections, table }, { schema, ...owner(id) });
const write = (table: Table, one: Write) => {
  const batch = table.batch();
  batch.write(one);
  return batch.commit();
};

test('a sealed secret opens for its record in its organization alone, and is gone once it was removed', async () => {
  const { table, connections } = deployment;
  const id = newId();
  const secret = { password: 'hidden' };
  await write(table, await sealWrite({ connections, table }, { secret, ...owner(id) }));
  expect(await open(table, id)).toEqual(secret);
  expect(await open(newOrganization(deployment.store.dynamo), id)).toBeUndefined();
  await expect(
    openSealed({ connections, table }, { schema, purpose: 'scan-credential', id }),
    'for another purpose',
  ).rejects.toThrow();
  await write(table, removeSecret(table, id));
  expect(await open(table, id)).toBeUndefined();
});

test('a new secret replaces none that another made at the same moment', async () => {
  const { table, connections } = deployment;
  const id = newId();
  const seal = (password: string) => sealNewWrite({ connections, table }, { secret: { password }, ...owner(id) });
  const [first, second] = await Promise.all([seal('one'), seal('two')]);
  await write(table, first);
  await expect(write(table, second)).rejects.toMatchObject({ code: 'conflict' });
  expect(await open(table, id)).toEqual({ password: 'one' });
});
