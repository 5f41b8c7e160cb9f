import { beforeAll, describe, expect, test } from 'vitest';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import type { Decision } from '#shared/findings/bulk/decision.ts';
import { defineBulk } from '#shared/findings/bulk/define-bulk.ts';
import { previewMany } from '#shared/findings/bulk/preview.ts';
import { previewEach } from '#shared/findings/bulk/preview-each.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { newId, ordinalOf } from '#shared/platform/runtime/ids.ts';
import { commitMany } from '#shared/platform/table/many.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { findingDraft } from '../../../support/findings.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
const seen = '2026-01-05T08:00:00.000Z';

async function makeMany(table: Table, entity: typeof findings, count: number): Promise<string[]> {
  const ids = await table.reserve(entity, count);
  const made = ids.map((id, n) => table.stamp<StoredFinding>({ ...findingDraft(seen, { title: `t${n}` }), id }));
  await commitMany(table.batch, made, (batch, one) => batch.create(entity, one));
  return ids;
}

let table: Table;
let ids: string[];
let beside: string[];
beforeAll(async () => {
  table = newOrganization(store.dynamo);
  ids = await makeMany(table, findings, 995);
  beside = await makeMany(table, branchFindings, 6);
});

const change: Decision = { changes: { tags: ['x'] } };
const all = { selection: {} };

describe('a look at what a change of many findings would do', () => {
  test('reads the newest thousand, shows the first twenty, and counts what it did not read', async () => {
    const preview = await previewMany(table, all, { decide: () => change, everywhere: true });
    expect(preview).toMatchObject({ matched: 1001, examined: 1000, changed: 1000, unchanged: 0, refusedCount: 0 });
    const newest = [...beside.toReversed(), ...ids.toReversed()].slice(0, 20);
    expect(preview.sample.map(({ id }) => id)).toEqual(newest);
    expect(preview.sample.at(-1)).toEqual({
      id: newest[19],
      title: 't981',
      location: 'src/orders.ts:12',
      status: 'open',
    });
  });

  test('has the findings of default branches, unless those of all are asked for', async () => {
    const preview = await previewMany(table, all, { decide: () => change });
    expect(preview).toMatchObject({ matched: 995, examined: 995, changed: 995 });
    expect(preview.sample[0]?.id).toBe(ids.at(-1));
  });

  test('prepares with what it found, and shows only what would change', async () => {
    const prepared: [number, { from: number; to: number }][] = [];
    const decide = ({ id }: FindingRow): Decision => {
      if (id === ids[0]) throw conflict('no');
      return id === ids[1] ? change : undefined;
    };
    const unknown = newId();
    const preview = await previewMany(
      table,
      { ids: [...ids.slice(0, 3), unknown, beside[0] ?? ''] },
      { decide, prepare: async (found, part) => void prepared.push([found.length, part]) },
    );
    expect(prepared).toEqual([[4, { from: 0, to: 5 }]]);
    expect(preview).toMatchObject({
      matched: 5,
      examined: 5,
      changed: 1,
      unchanged: 2,
      refusedCount: 2,
      refused: [
        { id: ids[0], code: 'conflict' },
        { id: unknown, code: 'not_found' },
      ],
      sample: [{ id: ids[1] }],
    });
  });

  test('has the long texts where the decision needs them', async () => {
    const known: boolean[] = [];
    const decide = (finding: FindingRow) => void known.push('fingerprint' in finding);
    await previewMany(table, { ids: ids.slice(0, 1) }, { decide, whole: true });
    await previewMany(table, { ids: ids.slice(0, 1) }, { decide });
    expect(known).toEqual([true, false]);
    known.length = 0;
    await previewMany(table, all, { decide, whole: true });
    expect([known.length, new Set(known)]).toEqual([995, new Set([true])]);
  });
});

test('a look at a change of many records of another kind shows the first twenty that would change', async () => {
  const decide = async (items: readonly (string | number)[]) =>
    items.map((_, n) => ({ outcome: n === 0 ? ('unchanged' as const) : ('changed' as const) }));
  const preview = (wanted: Parameters<typeof previewEach>[1]) =>
    previewEach(table, wanted, { entity: findings, decide, sampleOf: ({ id }) => id });
  expect(await preview({ ids: ids.slice(0, 23) })).toMatchObject({
    matched: 23,
    examined: 23,
    changed: 22,
    unchanged: 1,
    refusedCount: 0,
    refused: [],
    sample: ids.slice(1, 21),
  });
  expect(await preview(all)).toMatchObject({ matched: 995, examined: 995, changed: 994, unchanged: 1 });
  await makeMany(table, findings, 6);
  expect(await preview(all)).toMatchObject({ matched: 1001, examined: 1000, changed: 999, unchanged: 1 });
});

test('of records that are named by ids or by their places in a list, each hears what became of it', async () => {
  const changes = { id: 'changed' };
  const [one, two, three] = ids.slice(0, 3) as [string, string, string];
  const other = `${one.slice(0, 8) === 'ffffffff' ? '0'.repeat(8) : 'f'.repeat(8)}${one.slice(8)}`;
  const gone = ids.length + 5000;
  const decide = ({ id }: { id: string }) => {
    if (id === two) throw conflict('no');
    return id === one ? { changes } : undefined;
  };
  const bulk = defineBulk({
    name: 'incident',
    collection: findings,
    read: async () => [one, two, three].map((id) => ({ id })),
    decide,
    apply: (_to, { id }, change) => ({ id, from: {}, to: change.changes }),
    restore: () => ({}),
  });
  const decided = await bulk.decided(table, [three, ordinalOf(one), two, other, gone], undefined);
  expect(decided.map(({ change, ...told }) => ({ ...told, change: change?.({} as never) }))).toEqual([
    { outcome: 'unchanged' },
    { outcome: 'changed', change: { id: one, from: {}, to: changes } },
    { outcome: 'refused', refused: { id: two, code: 'conflict', message: 'no' } },
    { outcome: 'refused', refused: { id: other, code: 'not_found', message: `There is no incident ${other}.` } },
    { outcome: 'unchanged' },
  ]);
});
