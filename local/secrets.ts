import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newWebhookSecret } from '#shared/code/integrations/secret.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { isUnsetSecret } from '#shared/platform/runtime/secrets.ts';

/** The file that replaces Secrets Manager; the bootstrap writes the signing key into it. */
export async function ensureSecrets(directory: string): Promise<string> {
  const file = join(directory, 'secrets.json');
  if (!existsSync(file)) await writeFile(file, '{}\n', { mode: 0o600 });
  return file;
}

/** The webhook secret of the payment processor: BILLING_WEBHOOK_SECRET where it is set, otherwise one of this machine's own. */
export async function ensureBillingSecret({ secrets, settings }: Connections): Promise<void> {
  const { BILLING_WEBHOOK_SECRET: given } = process.env;
  if (given) return secrets.put(settings.BILLING_SECRET, given);
  try {
    await secrets.get(settings.BILLING_SECRET);
  } catch (error) {
    if (!isUnsetSecret(error)) throw error;
    await secrets.put(settings.BILLING_SECRET, newWebhookSecret());
  }
}
