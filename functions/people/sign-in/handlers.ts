import { findPerson, type Person, personWrites } from '#shared/people/person.ts';
import { grantCode } from '#shared/people/sign-in.ts';
import { takeTicket } from '#shared/people/ticket.ts';
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
import { acceptInvitation } from './accept.ts';
import type { signInRoutes } from './routes.ts';

export const signInHandlers: Handlers<typeof signInRoutes> = {
  /** The worker looks for the person: the answer takes the same time for every address. */
  async requestSignIn({ connections, cause, body }) {
    const table = openTable(connections.dynamo, GLOBAL_SCOPE, { ...systemActor, cause });
    const input = { email: body.email };
    await queueTask({ connections, table }, { operation: 'send_sign_in_link', job: 'mail', unit: 'letters', input });
    return { accepted: true };
  },

  async signIn({ connections: { dynamo }, body: { token, codeChallenge } }) {
    const ticket = await takeTicket(dynamo, 'sign_in', token);
    const person = ticket && (await verified(dynamo, ticket.personId));
    if (!person) throw usedLink();
    return grantCode(dynamo, { personId: person.id, proofs: ['mail'], codeChallenge });
  },

  async acceptInvitation({ connections, cause, body: { token, codeChallenge, ...about } }) {
    const invitation = await takeTicket(connections.dynamo, 'invitation', token);
    const person = invitation && (await acceptInvitation({ connections, cause }, invitation, about));
    if (!person) throw usedLink();
    return grantCode(connections.dynamo, { personId: person.id, proofs: ['mail'], codeChallenge });
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
