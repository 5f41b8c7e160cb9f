import * as z from 'zod';
import type { Letter } from '#shared/people/letter.ts';
import { type Person, personWithAddress, personWrites } from '#shared/people/person.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { inSeconds, now } from '#shared/platform/runtime/clock.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { commit } from '#shared/platform/table/io/commit.ts';
import { sendNow } from './send-letter.ts';

const Input = z.object({ email: z.string() });
const MAX_LETTERS_PER_HOUR = 5;
const LINK_SECONDS = 30 * 60;

/** Sends a sign-in link to the person with an address, if there is one. The result is the same for every address. */
export async function sendSignInLink({ connections, task }: Work): Promise<Record<string, unknown>> {
  const { email } = Input.parse(task.input);
  const person = await personWithAddress(connections.dynamo, email);
  if (person && (await takesLetter(connections.dynamo, person.email))) await sendNow(connections, linkLetter(person));
  return { sent: true };
}

/** Counts a letter to a person. @returns false for a person who got the most letters of an hour */
const takesLetter = (dynamo: Dynamo, email: string): Promise<boolean> =>
  retry(async () => {
    const person = await personWithAddress(dynamo, email);
    const recent = person?.lettersAt.filter((at) => at > inSeconds(-3600)) ?? [];
    if (!person || recent.length >= MAX_LETTERS_PER_HOUR) return false;
    await commit(dynamo, personWrites(person, { lettersAt: [...recent, now()] }), new Map());
    return true;
  });

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
