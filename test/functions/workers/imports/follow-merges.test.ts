import { afterAll, expect, test } from 'vitest';
import { followMerges } from '#functions/workers/imports/follow-merges.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { mergedFindings } from '#shared/findings/finding/merged-finding.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { findingDraft } from '../../../support/findings.ts';
import { dayOf } from './days.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

/** Findings each of which became one with the next, and the last of all, which stands or is gone. */
async function merged(count: number, { stands = true } = {}) {
  const table = world.newOrganization();
  const ids = [];
  for (let n = 0; n <= count; n++) ids.push((await table.create(findings, findingDraft(dayOf(n)))).id);
  for (const [n, id] of ids.entries()) {
    const finding = await table.get(findings, id, true);
    const batch = table.batch();
    if (n < count || !stands) batch.delete(findings, finding);
    const mergedInto = ids[n + 1];
    if (mergedInto) batch.create(mergedFindings, table.changed(finding, { mergedInto }));
    if (batch.size() > 0) await batch.commit();
  }
  const found = await followMerges({ table, entity: findings }, [...ids, newId()]);
  return { ids, found: new Map([...found].map(([id, row]) => [id, row.id])) };
}

test.each([0, 1, 2, 5])(
  'a finding that became one with another %i times is found as the last of them',
  async (count) => {
    const { ids, found } = await merged(count);
    expect(found).toEqual(new Map(ids.map((id) => [id, ids.at(-1)])));
  },
);

test('after five times nobody looks further', async () => {
  const { ids, found } = await merged(6);
  expect(found).toEqual(new Map(ids.slice(1).map((id) => [id, ids.at(-1)])));
});

test('a finding that became one with another which is gone is found no more', async () => {
  expect((await merged(2, { stands: false })).found).toEqual(new Map());
});
