import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_TRANSACTION } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import { batchOfMany, commitMany } from '#shared/platform/table/many.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';

const store = useStore();

const things = defineRow<{ name: string; n: number }>({
  name: 'thing',
  about: 'a row of a change that needs several',
  key: ({ name, n }) => [name, String(n)],
});

test('changes of any size are split over transactions that hold them, each made once', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: MAX_TRANSACTION - 1 }), { minLength: 1, maxLength: 150 });
  await fc.assert(
    fc.asyncProperty(sizes, async (all) => {
      const table = newOrganization(store.dynamo);
      const items = all.map((size, n) => ({ name: `t${n}`, size }));
      const made: string[] = [];
      for (let left: readonly (typeof items)[number][] = items; left.length > 0; ) {
        const part = await batchOfMany(table.batch, left, (batch, some) => {
          for (const { name, size } of some)
            for (let n = 0; n < size; n++) batch.write(putWrite(table.tenant, things, { row: { name, n } }));
          batch.write(putWrite(table.tenant, things, { row: { name: 'progress', n: 0 } }));
        });
        expect(part.batch.size()).toBeLessThanOrEqual(MAX_TRANSACTION);
        made.push(...part.some.map(({ name }) => name));
        left = part.left;
      }
      expect(made).toEqual(items.map(({ name }) => name));
    }),
    { numRuns: runs(4, 20) },
  );
});

test('changes that need several transactions are all made, and none of no items is', async () => {
  const table = newOrganization(store.dynamo);
  const items = Array.from({ length: 2 * MAX_TRANSACTION + 1 }, (_, n) => n);
  await commitMany(table.batch, items, (batch, n) =>
    batch.write(putWrite(table.tenant, things, { row: { name: 'all', n } })),
  );
  const made = await table.rows(things).query('all', { consistent: true });
  expect(made.map(({ n }) => n).sort((a, b) => a - b)).toEqual(items);
  await commitMany(table.batch, [], () => expect.fail('there is nothing to add'));
});
