import { acceptInvitation } from '#shared/people/accept.ts';
import { beginDevice, DEVICE_SECONDS, POLL_SECONDS } from '#shared/people/device.ts';
import { addPasskey, offerPasskey, requestPasskey, takePasskey, takeProof } from '#shared/people/passkey.ts';
import { findPerson, type Person, personWrites } from '#shared/people/person.ts';
import { confirmTotp, hasSecondStep, offerTotp } from '#shared/people/second-step.ts';
import { continueSignIn, grantCode } from '#shared/people/sign-in.ts';
import { countAttempt, readTicket, type TicketData, takeTicket } from '#shared/people/ticket.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { queueTask } from '#shared/platform/jobs/outbox.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import { commit } from '#shared/platform/table/io/commit.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { identityProviderHandlers } from './identity-providers/handlers.ts';
import { providerSignInHandlers } from './identity-providers/sign-in.ts';
import { countBeginning } from './limits.ts';
import type { signInRoutes } from './routes.ts';

export const signInHandlers: Handlers<typeof signInRoutes> = {
  ...providerSignInHandlers,
  ...identityProviderHandlers,
  /** The worker looks for the person: the answer takes the same time for every address. */
  async requestSignIn({ connections, cause, body, request }) {
    await countBeginning(connections.dynamo, 'link', request.ip);
    const table = openTable(connections.dynamo, GLOBAL_SCOPE, { ...systemActor, cause });
    const input = { email: body.email };
    await queueTask({ connections, table }, { operation: 'send_sign_in_link', job: 'mail', unit: 'letters', input });
    return { accepted: true };
  },

  async signIn({ connections: { dynamo }, body: { token, codeChallenge } }) {
    const ticket = await takeTicket(dynamo, 'sign_in', token);
    const person = ticket && (await verified(dynamo, ticket.personId));
    if (!person) throw usedLink();
    return continueSignIn(dynamo, person, { proofs: ['mail'], codeChallenge });
  },

  async acceptInvitation({ connections, cause, body: { token, codeChallenge, ...about } }) {
    const invitation = await takeTicket(connections.dynamo, 'invitation', token);
    const person = invitation && (await acceptInvitation({ connections, cause }, invitation, about));
    if (!person) throw usedLink();
    return continueSignIn(connections.dynamo, person, { proofs: ['mail'], codeChallenge });
  },

  async takeSecondStep({ connections, body: { ticket, ...given } }) {
    const { person, step } = await stepWith(connections.dynamo, 'second_step', ticket);
    const proof = await takeProof(connections, person, given);
    return finished(connections.dynamo, 'second_step', ticket, { ...step, proofs: [...step.proofs, proof] });
  },

  requestPasskey: ({ connections }) => requestPasskey(connections),

  async signInWithPasskey({ connections, body: { passkey, codeChallenge } }) {
    const { id: personId } = await takePasskey(connections, passkey);
    return grantCode(connections.dynamo, { personId, proofs: ['hwk'], codeChallenge });
  },

  async beginDeviceSignIn({ connections: { dynamo, settings }, body, request: { headers, ip } }) {
    await countBeginning(dynamo, 'device', ip);
    const program = { client: body.client_id, device: deviceIn(headers), remoteAddress: ip };
    const { deviceCode, userCode } = await beginDevice(dynamo, program);
    const page = `${settings.BASE_URL}/device`;
    return {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}#code=${userCode}`,
      expires_in: DEVICE_SECONDS,
      interval: POLL_SECONDS,
    };
  },

  async beginEnrolment({ connections, body: { ticket } }) {
    const { person } = await stepWith(connections.dynamo, 'enrolment', ticket);
    return offerTotp(connections, person);
  },

  async confirmEnrolment({ connections, body: { ticket, code } }) {
    const { person, step } = await stepWith(connections.dynamo, 'enrolment', ticket);
    const recoveryCodes = await confirmTotp(connections, person, { code });
    const proven = { ...step, proofs: [...step.proofs, 'otp' as const] };
    return { ...(await finished(connections.dynamo, 'enrolment', ticket, proven)), recoveryCodes };
  },

  async beginPasskeyEnrolment({ connections, body: { ticket } }) {
    const { person } = await stepWith(connections.dynamo, 'enrolment', ticket);
    return offerPasskey(connections, person);
  },

  async confirmPasskeyEnrolment({ connections, body: { ticket, ...given }, request: { headers } }) {
    const { person, step } = await stepWith(connections.dynamo, 'enrolment', ticket);
    const { recoveryCodes } = await addPasskey(connections, person, { ...given, device: deviceIn(headers) });
    const proven = { ...step, proofs: [...step.proofs, 'hwk' as const] };
    return { ...(await finished(connections.dynamo, 'enrolment', ticket, proven)), recoveryCodes };
  },
};

const usedLink = (): ApiError =>
  new ApiError('invalid_grant', 'The link was used already, has expired, or was not copied whole. Ask for a new link.');

/** The person, who has shown that the address is theirs. */
const verified = (dynamo: Dynamo, personId: string): Promise<Person | undefined> =>
  retry(async () => {
    const person = await findPerson(dynamo, personId);
    if (!person || person.verifiedAt !== null) return person;
    const changes = { verifiedAt: now() };
    await commit(dynamo, personWrites(person, changes), new Map());
    return { ...person, ...changes };
  });

const deviceIn = (headers: Record<string, string | undefined>): string => headers['user-agent'] ?? 'unknown';

type Step = 'second_step' | 'enrolment';

const endedSignIn = (): ApiError =>
  new ApiError('invalid_grant', 'This sign-in has ended: ten minutes or five attempts are over. Sign in again.');

/** The person of a sign-in that goes on; counts the attempt. @throws invalid_grant */
async function stepWith(dynamo: Dynamo, purpose: Step, ticket: string) {
  const step = await readTicket(dynamo, purpose, ticket);
  const person = step && (await countAttempt(dynamo, ticket)) && (await findPerson(dynamo, step.personId));
  if (!step || !person) throw endedSignIn();
  // somebody who set it up meanwhile in another browser proves it from now on
  if (purpose === 'enrolment' && hasSecondStep(person)) throw endedSignIn();
  return { step, person };
}

/** Uses the ticket up: of two requests at once with right codes one gets the code of the sign-in. */
async function finished(dynamo: Dynamo, purpose: Step, ticket: string, proven: TicketData<Step>) {
  if (!(await takeTicket(dynamo, purpose, ticket))) throw endedSignIn();
  return grantCode(dynamo, proven);
}
