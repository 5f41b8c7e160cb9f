import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { Row } from '#shared/platform/table/layout/keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { fillRows, recordsOn } from '../../bench/fill-rows.ts';
import { exposures, exposuresOf, fill, remove } from '../../bench/store-model.ts';
import { newOrganization, useStore } from '../support/store.ts';

const store = useStore();

/** Every row of an organization by its key, without the organization; of records the key alone, which have times in them. */
async function rowsIn({ dynamo, tenant }: Table): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  let start: Record<string, unknown> | undefined;
  do {
    const scan: ScanCommand = new ScanCommand({ TableName: dynamo.tableName, ExclusiveStartKey: start });
    const answer = await dynamo.client.send(scan);
    for (const { pk, sk, ...rest } of (answer.Items ?? []) as Row[]) {
      const [organization, ...collection] = pk.split('#');
      const text = Object.entries(rest).map(([name, value]) => `${name}=${value}`);
      if (organization === tenant) found.set([...collection, sk].join('#'), '_j' in rest ? 'record' : text.sort());
    }
    start = answer.LastEvaluatedKey;
  } while (start);
  return found;
}

test('a collection that the bench writes at once has the rows of one that was imported and partly deleted', async () => {
  const filled = exposuresOf(newOrganization(store.dynamo), { size: 600, share: 0.2 });
  const imported = newOrganization(store.dynamo);
  await fill(imported, filled.size);
  await remove(imported, filled.isDeleted);
  const written = newOrganization(store.dynamo);
  await fillRows(written, exposures, { ...exposuresOf(written, { size: 600, share: 0.2 }) });
  const rows = await rowsIn(imported);
  expect(rows.size).toBeGreaterThan(1000);
  expect(await rowsIn(written)).toEqual(rows);
  expect(await verify(written, exposures)).toMatchObject({ differences: [], unsettled: 0 });
});

test('a page of a collection that has only its index equals the page of the whole collection', async () => {
  const [whole, alone] = [newOrganization(store.dynamo), newOrganization(store.dynamo)];
  const filled = exposuresOf(alone, { size: 600, share: 0.2 });
  await fillRows(whole, exposures, filled);
  await fillRows(alone, exposures, { ...filled, indexAlone: true });
  const query = { where: { status: 'open', tag: 'pci' }, paginateFrom: 2, paginateSize: 5 };
  const expected = await whole.list(exposures, query);
  const ordinals = expected.data.map(({ id }) => ordinalOf(id));
  expect(ordinals).toHaveLength(5);
  await recordsOn(alone, exposures, { filled, ordinals });
  const page = await alone.list(exposures, query);
  expect(page.totalCount).toBe(expected.totalCount);
  const titles = (all: { title: string; tag: string | null }[]) => all.map(({ title, tag }) => [title, tag]);
  expect(titles(page.data)).toEqual(titles(expected.data));
});
