import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { type IdentityProvider, identityProviders, isProved, MAX_PROVIDERS } from './identity-provider.ts';
import { domainOf } from './owner-domain.ts';
import type { Person } from './person.ts';
import { hasSecondStep } from './second-step.ts';
import { isStrong, requiresStep } from './sign-in.ts';
import type { Proofs, Voucher } from './ticket.ts';

type Proven = { proofs: Proofs; vouchedBy?: Voucher | undefined };
type Entering = { person: Person; organizationId: string; role: string | undefined; proven: Proven };

/** Whether a session opens an organization, and whether an owner passes by its identity provider. */
type Entry = { refused: string } | { refused?: never; breaksGlass: boolean };

/**
 * The rule of the sign-in, of the switch of organization and of each refresh. An identity provider counts in its own
 * organization, while it is active; elsewhere its word counts like a letter, because other organizations do not trust it.
 */
export async function entryTo(dynamo: Dynamo, { person, organizationId, role, proven }: Entering): Promise<Entry> {
  const active = await activeProviders(dynamo, organizationId);
  const isVouched = active.some(({ id }) => id === proven.vouchedBy?.providerId);
  if (isVouched) return { breaksGlass: false };
  const must = active.find((provider) => mustUse(provider, person));
  if (must && role !== 'owner') return { refused: `This organization signs people in with ${must.name}.` };
  const skipsStep = proven.vouchedBy !== undefined && hasSecondStep(person);
  if (!isStrong(proven.proofs) && (skipsStep || (await requiresStep(dynamo, organizationId))))
    return { refused: 'This organization requires a second step. Sign in again to set it up.' };
  return { breaksGlass: must !== undefined };
}

async function activeProviders(dynamo: Dynamo, organizationId: string): Promise<IdentityProvider[]> {
  const all = { paginateFrom: 0, paginateSize: MAX_PROVIDERS, filter: { status: 'active' } };
  return (await openTable(dynamo, organizationId).list(identityProviders, all)).data;
}

/** Without a proved domain nobody can sign in at the provider, so nobody must. */
const mustUse = ({ enforcement, domains }: IdentityProvider, { email }: Person): boolean =>
  (enforcement === 'enforced' && isProved({ domains })) ||
  (enforcement === 'mixed' && domains.some(({ name, status }) => status === 'verified' && name === domainOf(email)));
