import type { PartScope } from '#shared/credentials/part.ts';
import { type IdentityProvider, identityProviders } from '#shared/people/identity-provider.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { defineRow, rowKey } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { newRole, provedAddress } from './admit.ts';
import { mappedTeams } from './mapping.ts';
import { type AtProvider, type Claims, RefusedSignIn } from './protocol.ts';

type Problem = Pick<RefusedSignIn, 'reason' | 'message'>;
type TestResult = AtProvider & {
  providerId: string;
  at: string;
  roleId: string | null;
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
  const { role, problem } = await judge(table, provider, person);
  const { roleId = null, scope } = role ?? {};
  const teamIds = [...mappedTeams(provider.mapping, person.claims)].flatMap(([id, isMember]) => (isMember ? id : []));
  const about = { ...person, claims: bounded(person.claims), roleId, ...(scope && { scope }), teamIds, problem };
  await table.rows(testRows).put({ ...about, providerId: provider.id, at: now() });
  if (problem && problem.reason !== 'unproved_domain' && problem.reason !== 'no_role') return;
  await table.modify(identityProviders, provider.id, ({ status }) =>
    status === 'draft' ? { status: 'tested' as const } : undefined,
  );
}

/** The role of a new person, and why a sign-in would be refused. */
async function judge(table: Table, provider: IdentityProvider, person: AtProvider) {
  const [role, address] = await Promise.all([
    orProblem(newRole(table, provider, person.claims)),
    orProblem(provedAddress(table, provider, person)),
  ]);
  return { role: role.value, problem: address.problem ?? role.problem };
}

async function orProblem<T>(judged: Promise<T>): Promise<{ value?: T; problem: Problem | null }> {
  try {
    return { value: await judged, problem: null };
  } catch (error) {
    if (!(error instanceof RefusedSignIn)) throw error;
    return { problem: { reason: error.reason, message: error.message } };
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
