import * as z from 'zod';
import { objectNamed } from '#shared/platform/http/records.ts';
import type { Results } from '#shared/platform/jobs/results.ts';

const LetterResult = objectNamed('LetterResult', { sent: z.boolean(), reason: z.string().optional() });

export const results = {
  send_letter: LetterResult,
  send_sign_in_link: LetterResult,
  send_sign_up_letter: LetterResult,
} satisfies Results;
