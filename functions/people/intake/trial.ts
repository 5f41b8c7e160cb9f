import { giveSubscriptions } from '#shared/notifications/defaults.ts';
import { newOrganization } from '#shared/organizations/new-organization.ts';
import { joinOrganization } from '#shared/people/join.ts';
import { personWithAddress } from '#shared/people/person.ts';
import { grantCode } from '#shared/people/sign-in.ts';
import { type SignUp, TRIAL_DAYS } from '#shared/people/sign-up.ts';
import { takeTicket } from '#shared/people/ticket.ts';
import type { User } from '#shared/people/user.ts';
import type { PublicCall } from '#shared/platform/http/route.ts';
import { inSeconds, now } from '#shared/platform/runtime/clock.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { countAll, countBlock } from './limits.ts';
import type { intakeRoutes } from './routes.ts';
import { importSample } from './sample.ts';

/** Makes the organization of a sign-up, and signs its owner in. @throws rate_limited, invalid_grant */
export async function beginTrial({
  connections,
  cause,
  request,
  body,
}: PublicCall<(typeof intakeRoutes)['beginTrial']>) {
  const { dynamo } = connections;
  const { token, codeChallenge, sampleData, ...settings } = body;
  await countBlock(dynamo, 'verify', request.ip);
  await countAll(dynamo, 'verify');
  const asked = await takeTicket(dynamo, 'sign_up', token);
  // who signed up twice has an organization by the other link
  if (!asked || (await personWithAddress(dynamo, asked.email))?.verifiedAt) throw usedLink();
  const founded = await found({ connections, cause }, { ...asked, ...settings });
  const { organizationId, trialEndsAt, user } = founded;
  const owner = openTable(dynamo, organizationId, { kind: 'user', id: user.id, name: user.name, cause });
  const sampleTaskId = sampleData ? await importSample({ connections, table: owner }) : null;
  const { code } = await grantCode(dynamo, { personId: user.personId, proofs: ['mail'], codeChallenge });
  return { code, organizationId, trialEndsAt, sampleTaskId };
}

const usedLink = (): ApiError =>
  new ApiError(
    'invalid_grant',
    'The link was used already, has expired, or was not copied whole. Sign in, or sign up again.',
  );

type Owner = SignUp & Pick<User, 'timeZone' | 'locale'>;

/** Makes an organization with its owner in one transaction, so that there is neither without the other. */
async function found(
  { connections, cause }: Pick<PublicCall<(typeof intakeRoutes)['beginTrial']>, 'connections' | 'cause'>,
  { organizationName: name, consentVersion: version, ...owner }: Owner,
) {
  const table = openTable(connections.dynamo, GLOBAL_SCOPE, { ...systemActor, cause });
  const trialEndsAt = inSeconds(TRIAL_DAYS * 86_400);
  const joining = { ...owner, roles: [{ roleId: 'owner' }], managedBy: 'local' as const };
  const founded = await newOrganization(
    table,
    { name, trialEndsAt, consent: { version, at: now() } },
    {
      email: owner.email,
      prepare: giveSubscriptions,
      addOwner: (theirs, also) => joinOrganization(theirs, joining, also),
    },
  );
  return { organizationId: founded.organization.id, trialEndsAt, user: founded.owner.user };
}
