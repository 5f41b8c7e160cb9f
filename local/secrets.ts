import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newWebhookSecret } from '#shared/code/integrations/secret.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { isUnsetSecret, type Secrets } from '#shared/platform/runtime/secrets.ts';

/** The file that replaces Secrets Manager; the bootstrap writes the signing key into it. */
export async function ensureSecrets(directory: string): Promise<string> {
  const file = join(directory, 'secrets.json');
  if (!existsSync(file)) await writeFile(file, '{}\n', { mode: 0o600 });
  return file;
}

/**
 * The webhook secret of the payment processor and the secret of bot challenges: BILLING_WEBHOOK_SECRET where it is set, otherwise secrets of
 * this machine's own.
 */
export async function ensureOwnSecrets({ secrets, settings }: Connections): Promise<void> {
  const { BILLING_WEBHOOK_SECRET: given } = process.env;
  if (given) await secrets.put(settings.BILLING_SECRET, given);
  for (const name of [settings.BILLING_SECRET, settings.CHALLENGE_SECRET]) await ensureSecret(secrets, name);
}

async function ensureSecret(secrets: Secrets, name: string): Promise<void> {
  try {
    await secrets.get(name);
  } catch (error) {
    if (!isUnsetSecret(error)) throw error;
    await secrets.put(name, newWebhookSecret());
  }
}
