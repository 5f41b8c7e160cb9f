import { createHash } from 'node:crypto';
import * as z from 'zod';
import { askHost, reachOf } from '#shared/platform/outgoing/ask.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { type Challenger, forgottenAfter } from './challenge.ts';

/** https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
const API = 'https://challenges.cloudflare.com/turnstile/v0/';
/** Cloudflare takes a token for five minutes. */
const LIFE_SECONDS = 300;

const Verdict = z.object({
  success: z.boolean(),
  action: z.string().optional(),
  'error-codes': z.array(z.string()).default([]),
});

/** The errors of Cloudflare that are about the token; all others are about this deployment, or Cloudflare's own. */
const OF_TOKENS = ['invalid-input-response', 'missing-input-response', 'timeout-or-duplicate'];

/** Cloudflare Turnstile: a widget of Cloudflare solves the challenge, and Cloudflare judges it. */
export const turnstile: Challenger = {
  async offer({ settings: { TURNSTILE_SITE_KEY: siteKey = null } }, { purpose }) {
    return { provider: 'turnstile', purpose, expiresAt: null, siteKey, parameters: null, signature: null };
  },

  async judge(connections, { purpose, solution }) {
    const verdict = await ask(connections, solution);
    const strange = verdict['error-codes'].filter((code) => !OF_TOKENS.includes(code));
    if (strange.length > 0) throw new Error(`Turnstile judges no challenges: ${strange.join(', ').slice(0, 200)}`);
    if (!verdict.success || verdict.action !== purpose) return undefined;
    const id = createHash('sha256').update(solution).digest('base64url');
    return { id, expiresAt: forgottenAfter(LIFE_SECONDS) };
  },
};

/** @throws HostError when Cloudflare does not answer: then nobody passes */
async function ask(connections: Connections, response: string): Promise<z.infer<typeof Verdict>> {
  const { secrets, settings } = connections;
  const secret = (await secrets.get(settings.CHALLENGE_SECRET)).trim();
  const host = { ...reachOf(connections), api: API, headers: {} };
  const { body } = await askHost(host, { method: 'POST', path: 'siteverify', body: { secret, response } });
  return Verdict.parse(body);
}
