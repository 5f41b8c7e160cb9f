import { randomInt } from 'node:crypto';
import { queueTask } from '#shared/platform/jobs/outbox.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { ApiError, conflict, invalid } from '#shared/platform/runtime/errors.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { countLetter, type Letter } from './letter.ts';
import { takeProof } from './passkey.ts';
import type { SecondProof } from './passkey-records.ts';
import type { Person } from './person.ts';
import { changePerson, countCode, hasSecondStep } from './second-step.ts';
import { Confirmation, issueTicket, type TicketRequest, takeTicket } from './ticket.ts';

/*
 * An access token alone makes nothing that outlives its session. A person who signs a program in, or sets up a second step, proves who
 * they are once more: by the second step, or by a code in a letter where there is none.
 */

/** The subject of a code for the first second step; otherwise the subject is the hash of a program's code. */
export const FIRST_STEP = 'first_step';
const CODE_SECONDS = 600;
const DIGITS = 8;

/** Sends a code to a person without a second step. @throws conflict, limit_exceeded */
export async function sendConfirmation(
  connections: Connections,
  person: Person,
  { subject, reason }: { subject: string; reason: string },
): Promise<void> {
  const { id: personId, email: to, name } = person;
  if (hasSecondStep(person)) throw conflict('You have a second step: send its code, or a passkey.');
  if (!(await countLetter(connections.dynamo, to)))
    throw new ApiError('limit_exceeded', 'You asked for five letters within an hour. Wait an hour.');
  const input: Letter = {
    to,
    subject: 'Your confirmation code',
    paragraphs: [
      `Hello ${name}, ${reason}`,
      'The code works once, for ten minutes. If you did not ask for it, give it to nobody, and end your sessions under Administration, ' +
        'My account: somebody uses one of them.',
    ],
    code: { purpose: 'confirmation', seconds: CODE_SECONDS, data: { personId, subject } },
  };
  const table = openTable(connections.dynamo, GLOBAL_SCOPE, systemActor);
  await queueTask({ connections, table }, { operation: 'send_letter', job: 'mail', unit: 'letters', input });
}

/** The ticket of a code holds the person and the subject, so that a short code opens nothing else. */
const tokenOf = ({ personId, subject }: Confirmation, code: string): string => `${personId} ${subject} ${code}`;

/** Makes the code of a letter. */
export async function issueCode(dynamo: Dynamo, request: TicketRequest): Promise<string> {
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
  await issueTicket(dynamo, request, tokenOf(Confirmation.parse(request.data), code));
  return code;
}

/**
 * Takes the proof of a person who is signed in: of the second step, or the code of a letter about the subject where there is none.
 * @throws validation_failed, invalid_grant, limit_exceeded
 */
export async function takeConfirmation(
  connections: Connections,
  person: Person,
  { proof, subject }: { proof: SecondProof; subject: string },
): Promise<void> {
  if (hasSecondStep(person)) {
    await takeProof(connections, person, proof);
    return;
  }
  const { code } = proof;
  if (code === undefined)
    throw invalid('code', 'must be the code of a letter (POST /api/v1/users/me/confirmation): you have no second step');
  await countCode(connections, person);
  if (!(await takeTicket(connections.dynamo, 'confirmation', tokenOf({ personId: person.id, subject }, code))))
    throw new ApiError(
      'invalid_grant',
      'The code of the letter is wrong, was used, has expired, or is for something else.',
    );
  await changePerson(connections, person.id, () => ({ codesAt: [] }));
}
