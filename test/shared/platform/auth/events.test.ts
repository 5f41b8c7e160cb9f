import { expect, test, vi } from 'vitest';
import { refusals } from '#shared/platform/auth/events.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { entryIn, inboxKey } from '#shared/platform/table/changes.ts';
import { getRow, queryRows } from '#shared/platform/table/io/read.ts';
import { rowKey } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { injectFaults } from '../../../support/faults.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();

/** The same code in the memory of another function, with a clock to be moved. */
async function anotherInstance() {
  vi.resetModules();
  const { tellEvent, tellRefusedSignIn } = await import('#shared/platform/auth/events.ts');
  const { setClock } = await import('#shared/platform/runtime/clock.ts');
  return { tellEvent, tellRefusedSignIn, setClock };
}

async function toldOf({ dynamo, tenant }: Table) {
  const { pk, sk: prefix } = inboxKey(tenant, '');
  return (await queryRows(dynamo, { pk, prefix, consistent: true })).map(entryIn);
}

test('who attacks a credential through every function and operation leaves one entry a minute, not a row for each try', async () => {
  const table = newOrganization(store.dynamo);
  const { organizationId, dynamo } = table;
  const instances: Awaited<ReturnType<typeof anotherInstance>>[] = [];
  while (instances.length < 4) instances.push(await anotherInstance());
  const start = Date.now();
  const ids = [newId(), newId()];
  for (const minute of [0, 1, 2]) {
    for (const second of [0, 20, 40]) {
      for (const { setClock } of instances) setClock(() => start + minute * 60_000 + second * 1000);
      const tries = instances.flatMap(({ tellRefusedSignIn }) =>
        ids.flatMap((id) =>
          ['listFindings', 'listChanges', 'getTask'].map((operation) => {
            const author = { kind: 'api_key', id, name: 'CI', cause: { operation } } as const;
            return tellRefusedSignIn(dynamo, { organizationId, author }, 'The secret was wrong.');
          }),
        ),
      );
      await Promise.all(tries);
    }
  }
  const told = await toldOf(table);
  expect(told.map(({ by, event }) => `${by.id} ${event?.kind}`).sort()).toEqual(
    ids.flatMap((id) => Array(3).fill(`${id} refused`)).sort(),
  );
});

test('a caller that is refused the same operation all the time leaves one entry a minute, and one for each other operation', async () => {
  const table = newOrganization(store.dynamo);
  const { organizationId, dynamo } = table;
  const { tellEvent, setClock } = await anotherInstance();
  const start = Date.now();
  const tell = (operation: string) =>
    tellEvent(
      dynamo,
      { organizationId, author: { kind: 'api_key', id: 'ci', name: 'CI', cause: { operation } } },
      { kind: 'refused', reason: 'It needs findings:write.' },
    );
  for (const second of [0, 1, 30, 59, 60, 119, 120]) {
    setClock(() => start + second * 1000);
    await tell('updateFinding');
  }
  await tell('createFinding');
  const told = await toldOf(table);
  expect(told.map(({ cause }) => cause?.operation).sort()).toEqual([
    'createFinding',
    ...Array(3).fill('updateFinding'),
  ]);
});

test('a sign-in does not fail when its entry in the audit log fails', async () => {
  const { organizationId } = newOrganization(store.dynamo);
  const dynamo = store.connect();
  injectFaults(dynamo, {
    random: () => 1,
    before: () => {
      throw new Error('the table is away');
    },
  });
  const { tellEvent, tellRefusedSignIn } = await anotherInstance();
  const who = { organizationId, author: { kind: 'api_key', id: newId(), name: 'CI' } } as const;
  await tellEvent(dynamo, who, { kind: 'signed_in' });
  await tellRefusedSignIn(dynamo, who, 'The secret was wrong.');
});

test('what is remembered of a refused credential is gone after a day', async () => {
  const table = newOrganization(store.dynamo);
  const { tellRefusedSignIn, setClock } = await anotherInstance();
  const at = Date.parse('2026-03-01T12:00:00.000Z');
  setClock(() => at);
  const id = newId();
  const who = { organizationId: table.organizationId, author: { kind: 'api_key', id, name: 'CI' } } as const;
  await tellRefusedSignIn(table.dynamo, who, 'The secret was wrong.');
  const row = await getRow(table.dynamo, rowKey(table.tenant, refusals, { credentialId: id }), true);
  expect(row).toMatchObject({ at: '2026-03-01T12:00:00.000Z', ttl: at / 1000 + 86_400 });
});
