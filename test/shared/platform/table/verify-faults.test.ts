import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { type Key, keysOf } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';
import { expectCollection } from './expectations.ts';
import { draft, statuses, type Ticket, ticketsWith } from './models.ts';

const store = useStore();
const tickets = ticketsWith('ticket');
const ownerShape = tickets.parents.owner?.shape ?? tickets.main;

/** More ordinals than are verified together. */
const FAR = 9000;

/** Tickets in two places of the collection, far apart. */
async function twoGroups(table: Table): Promise<Ticket[]> {
  const made: Ticket[] = [];
  for (const owner of ['ann', 'bob']) {
    const ids = await table.reserve(tickets, 4);
    const batch = table.batch(true);
    for (const [n, id] of ids.entries()) {
      const fields = {
        owner: n % 2 ? owner : null,
        title: `broken ${n % 2 ? 'pump' : owner}`,
        status: statuses[n % 3],
      };
      made.push(batch.create(tickets, table.stamp<Ticket>({ id, ...draft(fields), code: `${owner}-${n}` })));
    }
    await batch.commit();
    await table.reserveOrdinals(tickets, FAR);
  }
  await table.workJournal(tickets);
  return made;
}

type Fault = { kind: (typeof kinds)[number]; record: number; amount: number };
type Addition = { key: Key; attribute: string; amount: bigint };

const kinds = [
  'facet',
  'tally',
  'page',
  'mask',
  'mask of a list',
  'mask elsewhere',
  'word',
  'word that no record has',
  'word elsewhere',
  'value',
  'value elsewhere',
  'place in an order',
] as const;

function additionOf(table: Table, ordinal: number, { kind, amount }: Fault): Addition {
  const keys = keysOf(table.tenant, tickets);
  const some = BigInt(amount);
  const bits = some * 2n ** 40n;
  const elsewhere = ordinal + FAR / 2;
  switch (kind) {
    case 'facet':
      return { key: keys.facets(ordinal), attribute: 'status:open', amount: some };
    case 'tally':
      return { key: keys.tally('zone', 'north', ordinal), attribute: 'points', amount: some };
    case 'page':
      return { key: keys.page('', tickets.main, ordinal), attribute: 'n1_0', amount: some * 10n ** 20n };
    case 'mask':
      return { key: keys.mask('', tickets.main, ordinal), attribute: 'm0', amount: bits };
    case 'mask of a list':
      return { key: keys.mask('owner=ann', ownerShape, 1), attribute: 'm1', amount: bits };
    case 'place in an order':
      return { key: keys.mark('points>0999999', ordinal), attribute: 'm0', amount: bits };
    case 'mask elsewhere':
      return { key: keys.mask('', tickets.main, elsewhere), attribute: 'm2', amount: bits };
    case 'word':
      return { key: keys.mark('broken', ordinal), attribute: 'm0', amount: bits };
    case 'word that no record has':
      return { key: keys.mark('brokers', ordinal), attribute: 'm7', amount: bits };
    case 'word elsewhere':
      return { key: keys.mark('pump', elsewhere), attribute: 'm3', amount: bits };
    case 'value':
      return { key: keys.mark('zone=north', ordinal), attribute: 'm4', amount: bits };
    case 'value elsewhere':
      return { key: keys.mark('zone=north', elsewhere), attribute: 'm5', amount: bits };
  }
}

const add = ({ dynamo }: Table, { key, attribute, amount }: Addition) =>
  dynamo.client.send(
    new UpdateCommand({
      TableName: dynamo.tableName,
      Key: key,
      UpdateExpression: 'ADD #n :a',
      ExpressionAttributeNames: { '#n': attribute },
      ExpressionAttributeValues: { ':a': amount },
    }),
  );

const nameOf = ({ pk, sk }: Key, attribute: string | undefined): string => `${pk} ${sk} ${attribute}`;

test('every wrong row of any kind is reported with its amount, nothing else is, and a repair mends it', async () => {
  const fault = fc.record({
    kind: fc.constantFrom(...kinds),
    record: fc.nat(7),
    amount: fc.integer({ min: -3, max: 3 }).filter((amount) => amount !== 0),
  });
  const all = kinds.map((kind): Fault => ({ kind, record: 5, amount: 1 }));
  await fc.assert(
    fc.asyncProperty(fc.array(fault, { maxLength: 12 }), async (faults) => {
      const table = newOrganization(store.dynamo);
      const records = await twoGroups(table);
      const amounts = new Map<string, bigint>();
      for (const one of faults) {
        const addition = additionOf(table, ordinalOf(records[one.record]?.id ?? ''), one);
        await add(table, addition);
        const name = nameOf(addition.key, addition.attribute);
        amounts.set(name, (amounts.get(name) ?? 0n) + addition.amount);
      }
      const wrong = [...amounts].filter(([, amount]) => amount !== 0n);
      for (const repair of [false, true]) {
        const { differences, unsettled } = await verify(table, tickets, { repair });
        const reported = differences.map((one) => [
          nameOf(one, one.attribute),
          BigInt(one.stands ?? 0) - BigInt(one.expected ?? 0),
        ]);
        expect(new Map(reported as [string, bigint][])).toEqual(new Map(wrong));
        expect(differences.every(({ repaired }) => repaired === repair)).toBe(true);
        expect(unsettled).toBe(0);
      }
      await expectCollection(table, tickets, records);
    }),
    { numRuns: runs(2, 8), examples: [[all]] },
  );
});

test('lost rows of every kind are made again', async () => {
  const table = newOrganization(store.dynamo);
  const records = await twoGroups(table);
  const keys = keysOf(table.tenant, tickets);
  const at = ordinalOf(records[5]?.id ?? '');
  const lost = [
    keys.facets(at),
    keys.tally('zone', 'north', at),
    keys.page('', tickets.main, at),
    keys.mask('', tickets.main, at),
    keys.mask('owner=bob', ownerShape, at),
    keys.mark('broken', at),
    keys.mark('status=fixed', at),
    keys.unique('code', 'bob-1'),
  ];
  for (const Key of lost) await table.dynamo.client.send(new DeleteCommand({ TableName: table.dynamo.tableName, Key }));
  const { differences } = await verify(table, tickets, { repair: true });
  expect(new Set(differences.map((one) => nameOf(one, '')))).toEqual(new Set(lost.map((key) => nameOf(key, ''))));
  await expectCollection(table, tickets, records);
});

test('words and values that a running import has not yet brought into the index are not added beside it', async () => {
  const table = newOrganization(store.dynamo);
  const records = await twoGroups(table);
  const own = openTable(store.connect(), table.organizationId);
  const { pk } = keysOf(table.tenant, tickets).record(0);
  let imported: Promise<Ticket[]> | undefined;
  own.dynamo.client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'QueryCommand' && JSON.stringify(args.input).includes(`"${pk}"`)) {
          imported ??= importSome(table);
          await imported;
        }
        return next(args);
      },
    { step: 'initialize', name: 'import', priority: 'high' },
  );
  expect((await verify(own, tickets, { repair: true })).differences).toEqual([]);
  await expectCollection(table, tickets, [...records, ...((await imported) ?? [])]);
});

/** A batch of an import whose chunk goes on. */
async function importSome(table: Table): Promise<Ticket[]> {
  const ids = await table.reserve(tickets, 3);
  const batch = table.batch(true);
  const made = ids.map((id) => batch.create(tickets, table.stamp<Ticket>({ id, ...draft({ zone: 'south' }) })));
  await batch.commit();
  return made;
}
