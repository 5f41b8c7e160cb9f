import { expect, test } from 'vitest';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { newId, ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { ListQuery } from '#shared/platform/table/list.ts';
import { ordinalsOf, wholeRecordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { findingDraft } from '../../../support/findings.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
const at = '2026-01-05T08:00:00.000Z';
const severities = ['critical', 'high', 'low'] as const;
const long = 'A long text that does not fit the row. '.repeat(400).replaceAll('t', () => newId());

/** 45 findings of a bulk batch whose marks still lie in the journal; some are too long for one row. */
async function fill(table: Table): Promise<StoredFinding[]> {
  const ids = await table.reserve(findings, 45);
  const made: StoredFinding[] = [];
  for (let from = 0; from < ids.length; from += 15) {
    const batch = table.batch(true);
    for (const [n, id] of ids.slice(from, from + 15).entries()) {
      const fields = { severity: severities[n % 3] ?? 'low', tool: n % 2 ? 'nmap' : 'zap', ref: undefined };
      const draft = { ...findingDraft(at, { ...fields, ...(n % 5 === 0 && { description: long }) }), id };
      made.push(batch.create(findings, table.stamp<StoredFinding>(draft)));
    }
    await batch.commit();
  }
  return made;
}

test('work on all findings of a filter misses none, although their words are not in the index yet', async () => {
  const table = newOrganization(store.dynamo);
  const made = await fill(table);
  const expected = (fits: (one: StoredFinding) => boolean) =>
    made.flatMap((one) => (fits(one) ? [ordinalOf(one.id)] : [])).sort((a, b) => b - a);
  const queries: [Omit<ListQuery, 'paginateFrom' | 'paginateSize'>, (one: StoredFinding) => boolean][] = [
    [{ where: { tool: 'nmap' } }, ({ tool }) => tool === 'nmap'],
    [{}, () => true],
    [{ filter: { severity: 'high' } }, ({ severity }) => severity === 'high'],
    [{ filter: { severity: 'high' }, where: { tool: 'zap' } }, (one) => one.severity === 'high' && one.tool === 'zap'],
    [{ search: 'zap' }, ({ tool }) => tool === 'zap'],
  ];
  for (const [query, fits] of queries) expect(await ordinalsOf(table, findings, query)).toEqual(expected(fits));
});

test('findings are read whole, in the order asked for, without those that are gone', async () => {
  const table = newOrganization(store.dynamo);
  const made = await fill(table);
  const [gone, ...others] = made;
  if (gone) await table.delete(findings, await table.get(findings, gone.id, true));
  const whole = await wholeRecordsAt(table, findings, { ordinals: made.map(({ id }) => ordinalOf(id)).reverse() });
  const read = await Promise.all(others.reverse().map(({ id }) => table.get(findings, id, true)));
  expect(whole).toEqual(read);
  expect(whole.filter(({ description }) => description === long)).toHaveLength(8);
});
