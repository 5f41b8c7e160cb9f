import { serviceAccounts } from '#shared/credentials/service-account.ts';
import { users } from '#shared/people/user.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { keysOf } from '#shared/platform/table/layout/keys.ts';
import { type Table, withoutPart } from '#shared/platform/table/table.ts';

/** Role -> the number of its holders. */
export type Holders = ReadonlyMap<string, number>;

/** The holders of each role, from the counters of accounts and of people who have not left; they are no records of a part. */
export async function holdersOf(ofCaller: Table): Promise<Holders> {
  const table = withoutPart(ofCaller);
  const tallies = await Promise.all([table.tallies(serviceAccounts, 'role'), table.tallies(users, 'role')]);
  const holders = new Map<string, number>();
  for (const { value, counts } of tallies.flat())
    holders.set(value ?? '', (holders.get(value ?? '') ?? 0) + (counts.n ?? 0));
  return holders;
}

/** Holders of each kind whom a refusal names. */
const NAMED = 5;

/** @throws conflict with the holders */
export async function assertUnheld(table: Table, role: string): Promise<void> {
  const tallies = await Promise.all([
    table.tally(serviceAccounts, 'role', role, true),
    table.tally(users, 'role', role, true),
  ]);
  const count = tallies.reduce((sum, { n = 0 }) => sum + n, 0);
  if (count === 0) return;
  const range = { paginateFrom: 0, paginateSize: NAMED };
  const [accounts, people] = await Promise.all([
    table.list(serviceAccounts, { ...range, where: { role, revoked: 'false' } }),
    table.list(users, { ...range, where: { role, status: ['invited', 'active', 'suspended'] } }),
  ]);
  const names = [...accounts.data, ...people.data].map(({ name, id }) => `${name} (${id})`).join(', ');
  throw conflict(`The role has ${count} holders: give them another role, or revoke them. Among them are ${names}.`);
}

/** For the transaction that deletes a role: nobody holds it at that moment. */
export const unheldChecks = ({ tenant }: Table, role: string): Write[] =>
  [serviceAccounts, users]
    .flatMap((entity) => keysOf(tenant, entity).tallyRows('role', role))
    .map((check) => ({
      check,
      condition: {
        ConditionExpression: 'attribute_not_exists(#n) OR #n <= :none',
        ExpressionAttributeNames: { '#n': 'n' },
        ExpressionAttributeValues: { ':none': 0 },
      },
      fail: () => conflict('Somebody was given this role: give them another role first.'),
    }));
