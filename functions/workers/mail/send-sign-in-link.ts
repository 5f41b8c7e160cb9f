import * as z from 'zod';
import { countLetter, type Letter } from '#shared/people/letter.ts';
import { type Person, personWithAddress } from '#shared/people/person.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { sendNow } from './send-letter.ts';

const Input = z.object({ email: z.string() });
const LINK_SECONDS = 30 * 60;

/** Sends a sign-in link to the person with an address, if there is one. The result is the same for every address. */
export async function sendSignInLink({ connections, task }: Work): Promise<Record<string, unknown>> {
  const { email } = Input.parse(task.input);
  const person = await personWithAddress(connections.dynamo, email);
  if (person && (await countLetter(connections.dynamo, person.email))) await sendNow(connections, linkLetter(person));
  return { sent: true };
}

const linkLetter = (person: Person): Letter => ({
  to: person.email,
  subject: 'Your sign-in link',
  paragraphs: [
    `Hello ${person.name}, somebody asked for a link to sign in with your address.`,
    'The link works once, for 30 minutes. If you did not ask for it, ignore this letter: nobody can sign in without it.',
  ],
  link: {
    label: 'Sign in',
    page: '/sign-in',
    ticket: { purpose: 'sign_in', seconds: LINK_SECONDS, data: { personId: person.id } },
  },
});
