import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { openSealed, sealNewWrite } from '#shared/credentials/sealed.ts';
import type { FoundSecret } from '#shared/findings/finding/found-secret.ts';
import { newSecret } from '#shared/platform/auth/token-format.ts';
import { MinuteCache } from '#shared/platform/runtime/minute-cache.ts';
import { isConflict } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { ReportSecret } from '#shared/reports/report/report.ts';

const OWNER = { purpose: 'exposed-credential', id: 'exposed-credential-key' } as const;
const Key = z.object({ key: z.string() });

const keys = new MinuteCache<string>();

/** The key of an organization's hashes, which is made with the first secret and stored sealed in the table. */
const keyOf = ({ connections, table }: Context): Promise<string> =>
  keys.get(table.dynamo, table.tenant, async () => {
    const current = (await readKey({ connections, table })) ?? (await makeKey({ connections, table }));
    return current.key;
  });

const readKey = (context: Context) => openSealed(context, { ...OWNER, schema: Key });

/** Of two simultaneous makers, one is refused and reads the other's key. */
async function makeKey(context: Context): Promise<z.infer<typeof Key>> {
  const secret = { key: newSecret() };
  try {
    const batch = context.table.batch();
    batch.write(await sealNewWrite(context, { ...OWNER, secret }));
    await batch.commit();
    return secret;
  } catch (error) {
    if (!isConflict(error)) throw error;
    const current = await readKey(context);
    if (!current) throw error;
    return current;
  }
}

type Found = {
  /** Identifies the place of a secret whose text is unknown. */
  place: readonly string[];
  at: string;
};

/** The identity of a problem that has a secret in it, so that nobody can try guesses of the secret by its fingerprint. */
export const keyedIdentity = async (context: Context, identity: readonly string[]): Promise<string[]> => [
  createHmac('sha256', await keyOf(context))
    .update(JSON.stringify(['identity', ...identity]))
    .digest('base64url'),
];

/** A secret as it may be stored: its text is replaced by an HMAC-SHA-256 (RFC 2104) under the organization's key, cut to 128 bits. */
export async function foundSecret(
  context: Context,
  { text, kind, masked, verified, account }: ReportSecret,
  found: Found,
): Promise<FoundSecret> {
  const named = text === undefined ? ['place', ...found.place] : ['text', text];
  const digest = createHmac('sha256', await keyOf(context))
    .update(JSON.stringify(named))
    .digest();
  return {
    key: digest.subarray(0, 16).toString('base64url'),
    kind,
    ...(masked !== null && { masked }),
    ...(account !== null && { account }),
    ...(verified !== null && { check: { at: found.at, verified } }),
  };
}
