import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import * as z from 'zod';
import { epochSeconds, inSeconds } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { type Challenger, forgottenAfter, PURPOSES } from './challenge.ts';

/** Time for a person to fill in the form. */
const LIFE_SECONDS = 900;
const ALGORITHM = 'PBKDF2/SHA-256';
/** Iterations of one trial, which takes 0.15 ms of a processor. The service does one for a challenge, and one for its solution. */
const COST = 1000;
/** Trials of the usual difficulty: a fifth of a second. The highest level takes 32 times as long. */
const TRIALS = { least: 1000, most: 2000 };

const hex = z.string().regex(/^[0-9a-f]{2,128}$/);

/** A solution as ALTCHA's widget sends it: JSON in base64. Only parameters that `offer` sets are read. */
const Payload = z.object({
  challenge: z.object({
    parameters: z.object({
      algorithm: z.literal(ALGORITHM),
      nonce: hex,
      salt: hex,
      cost: z.int(),
      keyLength: z.int(),
      keyPrefix: hex,
      expiresAt: z.int(),
      data: z.object({ purpose: z.enum(PURPOSES) }),
    }),
    signature: hex,
  }),
  solution: z.object({ counter: z.int(), derivedKey: hex }),
});

const keyOf = ({ secrets, settings }: Connections): Promise<string> => secrets.get(settings.CHALLENGE_SECRET);

/** Proof of work that the service makes and checks itself (https://altcha.org): no other party learns of a request. */
export const altcha: Challenger = {
  async offer(connections, { purpose, level }) {
    const expiresAt = inSeconds(LIFE_SECONDS);
    const { parameters, signature = '' } = await createChallenge({
      algorithm: ALGORITHM,
      cost: COST,
      counter: randomInt(TRIALS.most * 2 ** level, TRIALS.least * 2 ** level),
      deriveKey,
      data: { purpose },
      expiresAt: epochSeconds(expiresAt),
      hmacSignatureSecret: await keyOf(connections),
    });
    return { provider: 'altcha', purpose, expiresAt, siteKey: null, parameters: { ...parameters }, signature };
  },

  async judge(connections, { purpose, solution }) {
    const payload = parsed(solution);
    if (!payload || payload.challenge.parameters.data.purpose !== purpose) return undefined;
    const hmacSignatureSecret = await keyOf(connections);
    const { verified } = await verifySolution({ ...payload, deriveKey, hmacSignatureSecret });
    const { nonce } = payload.challenge.parameters;
    return verified ? { id: nonce, expiresAt: forgottenAfter(LIFE_SECONDS) } : undefined;
  },
};

function parsed(solution: string): z.infer<typeof Payload> | undefined {
  try {
    return Payload.safeParse(JSON.parse(Buffer.from(solution, 'base64').toString('utf8'))).data;
  } catch {
    return undefined;
  }
}
