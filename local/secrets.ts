import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The file that replaces Secrets Manager; the bootstrap writes the signing key into it. */
export async function ensureSecrets(directory: string): Promise<string> {
  const file = join(directory, 'secrets.json');
  if (!existsSync(file)) await writeFile(file, '{}\n', { mode: 0o600 });
  return file;
}
