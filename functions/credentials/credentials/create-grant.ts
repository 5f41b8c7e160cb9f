import { assertMayGive } from '#shared/credentials/give-role.ts';
import { findStaff } from '#shared/credentials/staff.ts';
import { type SupportGrant, supportGrants } from '#shared/credentials/support-grant.ts';
import { credentialStands, putCredential } from '#shared/platform/auth/credential.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { DAY_MS, inSeconds, nowMs } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { supportGrantRoutes } from './grant-routes.ts';

const MAX_DAYS = 7;
const DAY_SECONDS = 86_400;

/** Writes the grant with its credential row, whose removal ends the access. */
export async function createGrant({ table, caller, body }: Call<typeof supportGrantRoutes.createSupportGrant>) {
  const { staffId, role, expiresAt = inSeconds(DAY_SECONDS) } = body;
  assertMayGive(caller, { role });
  const ahead = Date.parse(expiresAt) - nowMs();
  if (!(ahead > 0 && ahead <= MAX_DAYS * DAY_MS))
    throw invalid('expiresAt', `must be in the future, at most ${MAX_DAYS} days from now`);
  const [member] = staffId === null ? [] : await findStaff(table.dynamo, [staffId]);
  if (staffId !== null && !member)
    throw invalid('staffId', 'must be the id of a member of staff, or null for all staff');
  const { organizationId } = table;
  const draft = { ...body, expiresAt, staffName: member?.name ?? null, status: 'active' as const, revokedAt: null };
  return table.create<SupportGrant, never>(supportGrants, draft, (batch, { id }) =>
    batch.write(
      putCredential(
        organizationId,
        { id, kind: 'support_grant', name: body.reason, secrets: [], role, expiresAt },
        'absent',
      ),
      ...(caller.kind === 'service_account' ? [credentialStands({ organizationId, id: caller.id })] : []),
    ),
  );
}
