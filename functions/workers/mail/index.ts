import { byOperation, workerHandler } from '#shared/platform/jobs/worker.ts';
import { results } from './results.ts';
import { sendLetter } from './send-letter.ts';
import { sendSignInLink } from './send-sign-in-link.ts';

const run = byOperation({ send_letter: sendLetter, send_sign_in_link: sendSignInLink });

export const handler = workerHandler('mail', run, { results });
