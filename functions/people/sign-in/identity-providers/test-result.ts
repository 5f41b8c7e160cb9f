import type { PartScope } from '#shared/credentials/part.ts';
import { type IdentityProvider, identityProviders } from '#shared/people/identity-provider.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { defineRow, rowKey } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { provedAddress } from './admit.ts';
import { LEAST_ROLE, mappedRole, mappedTeams } from './mapping.ts';
import { type AtProvider, type Claims, RefusedSignIn } from './protocol.ts';

type Problem = Pick<RefusedSignIn, 'reason' | 'message'>;
type TestResult = AtProvider & {
  providerId: string;
  at: string;
  roleId: string;
  scope?: PartScope;
  teamIds: string[];
  problem: Problem | null;
};

export const testRows = defineRow<TestResult, Pick<TestResult, 'providerId'>>({
  name: 'provider-test',
  about: 'what an identity provider said in the last test of it',
  key: ({ providerId }) => [providerId],
});

const MAX_CLAIMS = 50_000;

/** Keeps what a test showed. A provider that says who somebody is becomes `tested`; domains may be proved later. */
export async function keepTest(table: Table, provider: IdentityProvider, person: AtProvider): Promise<void> {
  const problem = await problemOf(table, provider, person);
  const { roleId, scope } = (await mappedRole(table, provider.mapping, person.claims)) ?? { roleId: LEAST_ROLE };
  const teamIds = [...mappedTeams(provider.mapping, person.claims)].flatMap(([id, isMember]) => (isMember ? id : []));
  const about = { ...person, claims: bounded(person.claims), roleId, ...(scope && { scope }), teamIds, problem };
  await table.rows(testRows).put({ ...about, providerId: provider.id, at: now() });
  if (problem && problem.reason !== 'unproved_domain') return;
  await table.modify(identityProviders, provider.id, ({ status }) =>
    status === 'draft' ? { status: 'tested' as const } : undefined,
  );
}

async function problemOf(table: Table, provider: IdentityProvider, person: AtProvider): Promise<Problem | null> {
  try {
    await provedAddress(table, provider, person);
    return null;
  } catch (error) {
    if (!(error instanceof RefusedSignIn)) throw error;
    return { reason: error.reason, message: error.message };
  }
}

/** The claims that fit into a row. */
function bounded(claims: Claims): Claims {
  let left = MAX_CLAIMS;
  return Object.fromEntries(
    Object.entries(claims).filter(([name, value]) => {
      left -= name.length + JSON.stringify(value ?? null).length;
      return left >= 0;
    }),
  );
}

export const lastTest = (table: Table, providerId: string): Promise<TestResult | undefined> =>
  table.rows(testRows).find({ providerId }, true);

export const forgetTest = (table: Table, providerId: string) => ({
  remove: rowKey(table.tenant, testRows, { providerId }),
});
