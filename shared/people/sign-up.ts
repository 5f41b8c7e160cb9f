import * as z from 'zod';
import { nameText, trimmedText } from '#shared/platform/http/records.ts';
import { EmailAddress, User } from './user.ts';

export const ConsentVersion = trimmedText(40).meta({
  description: 'the version of the text about personal data to which the sender consented',
  example: '2026-01',
});

/** A sign-up for a trial: no more than this is kept until the link of the letter is used. */
export const SignUp = z.object({
  email: EmailAddress,
  name: User.shape.name,
  organizationName: nameText(120).meta({ example: 'Engines Ltd.' }),
  consentVersion: ConsentVersion,
});
export type SignUp = z.infer<typeof SignUp>;

/** A letter of Friday evening is read on Saturday. */
export const LINK_HOURS = 24;
export const TRIAL_DAYS = 14;
