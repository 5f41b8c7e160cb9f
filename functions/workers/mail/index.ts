import { byOperation, workerHandler } from '#shared/platform/jobs/worker.ts';
import { noteDead } from './note-deliveries.ts';
import { results } from './results.ts';
import { sendLetter } from './send-letter.ts';
import { sendSignInLink } from './send-sign-in-link.ts';
import { sendSignUpLetter } from './send-sign-up-letter.ts';

const run = byOperation({
  send_letter: sendLetter,
  send_sign_in_link: sendSignInLink,
  send_sign_up_letter: sendSignUpLetter,
});

export const handler = workerHandler('mail', run, {
  results,
  forgetsInput: true,
  deadLettered: noteDead,
});
