import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { writeRows } from '#shared/platform/table/io/commit.ts';
import { getRow } from '#shared/platform/table/io/read.ts';
import { contributionOf } from '#shared/platform/table/layout/contribution.ts';
import { keysOf } from '#shared/platform/table/layout/keys.ts';
import { pack } from '#shared/platform/table/layout/packed.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { rekey } from '#shared/platform/table/upkeep/rekey.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { draft, type Ticket, ticketsWith } from './models.ts';

const store = useStore();
const tickets = ticketsWith('ticket');

const MARK = Buffer.from('\u0001', 'latin1');

/** Stores a record as release 1.7 did: fields as attributes, the contribution in `_c`, long fields in a second row. */
async function storeAsBefore(table: Table, item: Ticket, deflated: boolean): Promise<void> {
  const keys = keysOf(table.scope, tickets);
  const ordinal = ordinalOf(item.id);
  const { notes, ...fields } = item;
  const packed = pack(contributionOf(tickets, item));
  const contribution = deflated ? Buffer.concat([MARK, deflateRawSync(packed)]) : packed;
  const main = { ...keys.record(ordinal), ...fields, _c: contribution, _d: 1 };
  const detail = { ...keys.detail(ordinal), _v: 1, notes };
  await writeRows(table.dynamo, { put: [main, detail] });
}

test.each([
  ['plain', false],
  ['deflated', true],
])(
  'a record of release 1.7 with a %s contribution is read, changed and brought to the present form',
  async (_, deflated) => {
    const table = newOrganization(store.dynamo);
    const made = await table.create(
      tickets,
      draft({ title: 'loud pump', owner: 'ann', code: 'c1', notes: 'of before' }),
    );
    await storeAsBefore(table, made, deflated);

    expect(await table.get(tickets, made.id)).toEqual(made);
    const [listed = made] = (await table.list(tickets, { paginateFrom: 0, paginateSize: 5, search: 'pump' })).data;
    expect(listed).not.toHaveProperty('notes');
    const changed = await table.update(tickets, listed, { status: 'fixed' });
    expect(await table.get(tickets, made.id)).toEqual({ ...changed, notes: 'of before' });
    expect(await verify(table, tickets)).toEqual({ records: 1, differences: [], unsettled: 0 });

    await storeAsBefore(table, { ...changed, notes: 'of before' }, deflated);
    expect(await rekey(table, tickets)).toMatchObject({ seen: 1, rewritten: 1 });
    expect(await getRow(table.dynamo, keysOf(table.scope, tickets).record(ordinalOf(made.id)))).toHaveProperty('_j');
    expect(await table.get(tickets, made.id)).toEqual({ ...changed, notes: 'of before' });
    expect(await verify(table, tickets)).toEqual({ records: 1, differences: [], unsettled: 0 });
  },
);

test('the mark of what a record counts stays the same from release to release, so that no record is rewritten for it', async () => {
  const table = newOrganization(store.dynamo);
  const made = await table.create(tickets, draft({ owner: 'ann', code: 'c1' }));
  const digest = createHash('sha1')
    .update(pack(contributionOf(tickets, made)))
    .digest('base64url');
  const row = await getRow(table.dynamo, keysOf(table.scope, tickets).record(ordinalOf(made.id)), true);
  expect(row?._c).toBe(digest.slice(0, 16));
  expect(await rekey(table, tickets)).toMatchObject({ seen: 1, rewritten: 0 });
});
