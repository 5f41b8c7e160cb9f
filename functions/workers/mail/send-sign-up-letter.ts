import type { Letter } from '#shared/people/letter.ts';
import { hasOrganization } from '#shared/people/owner-domain.ts';
import { personWithAddress } from '#shared/people/person.ts';
import { LINK_HOURS, SignUp } from '#shared/people/sign-up.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { sendNow } from './send-letter.ts';

/** Sends the letter of a sign-up. Only its reader learns whether the service knows the address or its domain. */
export async function sendSignUpLetter({ connections, task }: Work): Promise<Record<string, unknown>> {
  await sendNow(connections, await letterTo(connections.dynamo, SignUp.parse(task.input)));
  return { sent: true };
}

/** Who was only invited, and never came, may found an organization. */
async function letterTo(dynamo: Dynamo, signUp: SignUp): Promise<Letter> {
  const [person, isKnownDomain] = await Promise.all([
    personWithAddress(dynamo, signUp.email),
    hasOrganization(dynamo, signUp.email),
  ]);
  if (person?.verifiedAt) return knownLetter(signUp);
  return isKnownDomain ? joinLetter(signUp) : linkLetter(signUp);
}

/*
 * Anybody can have a letter sent to any address. So the letters hold no text of the sender, which would make them good for advertisements
 * and for fraud: the names appear after the link.
 */
const NOT_YOU = 'If it was not you, ignore this letter: nothing has changed.';

const knownLetter = ({ email }: SignUp): Letter => ({
  to: email,
  subject: 'You have an account already',
  paragraphs: ['Somebody signed up with your address, which has an account already. Sign in with it.', NOT_YOU],
  link: { label: 'Sign in', page: '/sign-in' },
});

const joinLetter = ({ email }: SignUp): Letter => ({
  to: email,
  subject: 'Your company uses the service already',
  paragraphs: [
    'Somebody signed up with your address. An organization with addresses like yours uses the service already: ask one of its administrators ' +
      'to invite you.',
    NOT_YOU,
  ],
});

const linkLetter = (signUp: SignUp): Letter => ({
  to: signUp.email,
  subject: 'Begin your trial',
  paragraphs: [
    `The link makes your organization, and works once, for ${LINK_HOURS} hours. Until then nothing is made.`,
    NOT_YOU,
  ],
  link: {
    label: 'Begin the trial',
    page: '/sign-up',
    ticket: { purpose: 'sign_up', seconds: LINK_HOURS * 3600, data: signUp },
  },
});
