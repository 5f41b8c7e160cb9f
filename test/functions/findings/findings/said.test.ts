import { describe, expect, test } from 'vitest';
import { findingHandlers } from '#functions/findings/findings/handlers.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { findingComments } from '#shared/findings/finding/finding-comment.ts';
import { findingHistory } from '#shared/findings/triage/history.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { findingDraft } from '../../../support/findings.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
const seen = '2026-01-05T08:00:00.000Z';
const page = { paginateFrom: 0, paginateSize: 25 };
const make = (table: Table) => table.create(findings, findingDraft(seen));

describe('a comment', () => {
  /** A table of a person, whose comments are hers. */
  const asAnn = () =>
    openTable(store.dynamo, newOrganization(store.dynamo).organizationId, { kind: 'user', id: 'ann', name: 'Ann' });

  test('is changed and deleted at its own finding only', async () => {
    const table = asAnn();
    const [one, other] = [await make(table), await make(table)];
    const comment = await table.create(findingComments, { text: 'Seen', findingId: one.id } as never);
    const call = (id: string, more: object = {}) =>
      ({ table, params: { id, commentId: comment.id }, ...more }) as never;
    const refused = { code: 'not_found' };
    const body = { text: 'changed' };
    await expect(findingHandlers.updateFindingComment(call(other.id, { body }))).rejects.toMatchObject(refused);
    await expect(findingHandlers.deleteFindingComment(call(other.id))).rejects.toMatchObject(refused);
    expect(await table.get(findingComments, comment.id, true)).toEqual(comment);
    expect(await findingHandlers.updateFindingComment(call(one.id, { body: {} }))).toEqual({
      ...comment,
      unresolved: [],
    });
    expect(await findingHandlers.updateFindingComment(call(one.id, { body }))).toMatchObject({ ...body, version: 2 });
    await expect(
      findingHandlers.updateFindingComment(call(one.id, { body: { text: 'late', version: 1 } })),
    ).rejects.toMatchObject({ code: 'conflict' });
    await findingHandlers.deleteFindingComment(call(one.id));
    expect(await table.find(findingComments, comment.id, true)).toBeUndefined();
  });

  test('is listed at its finding, the newest first, and at no other', async () => {
    const table = asAnn();
    const [one, other] = [await make(table), await make(table)];
    const write = (id: string, text: string) =>
      findingHandlers.createFindingComment({ table, params: { id }, body: { text } } as never);
    for (const text of ['first', 'second']) await write(one.id, text);
    await write(other.id, 'other');
    const texts = async (id: string) => {
      const { data } = await findingHandlers.listFindingComments({ table, params: { id }, query: page } as never);
      return data.map(({ text }) => text);
    };
    expect(await texts(one.id)).toEqual(['second', 'first']);
    expect(await texts(other.id)).toEqual(['other']);
    await expect(texts(newId())).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('the history of a finding has its newest 500 changes', async () => {
  const table = newOrganization(store.dynamo);
  const { id } = await make(table);
  const by = table.actor;
  const rows = Array.from({ length: 501 }, (_, n) => ({ findingId: id, version: n + 2, at: seen, by, changes: {} }));
  for (let n = 0; n < rows.length; n += 50)
    await Promise.all(rows.slice(n, n + 50).map((row) => table.rows(findingHistory).put(row)));
  const told = await findingHandlers.listFindingHistory({ table, params: { id } } as never);
  expect([told.length, told[0]?.version, told.at(-1)?.version]).toEqual([500, 502, 3]);
  expect(told[0]).toEqual({
    version: 502,
    at: seen,
    by,
    changes: {},
    reason: null,
    scanTaskId: null,
    taskId: null,
    vulnerabilityIds: [],
  });
});
