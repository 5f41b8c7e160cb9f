import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSecrets } from '#shared/platform/runtime/secrets.ts';

test('secrets that are written at the same time are all kept', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'secrets-')), 'secrets.json');
  writeFileSync(file, '{}');
  const settings = { SECRETS_FILE: file };
  const names = ['signing', 'sealing', 'third', 'fourth'];
  const secrets = openSecrets(settings as never);
  await Promise.all(names.map((name) => secrets.put(name, `${name} key`)));
  const fresh = openSecrets(settings as never);
  for (const name of names) expect(await fresh.get(name)).toBe(`${name} key`);
});
