import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDynamoDbLocal } from './dynamodb-local.ts';

/** `npm run test:dynamodb-local`: runs the tests of the store and the end-to-end tests on AWS's own engine too. */
const parts = process.argv.slice(2);
const engine = await startDynamoDbLocal({
  logFile: join(mkdtempSync(join(tmpdir(), 'dynamodb-local-')), 'engine.log'),
});
const root = fileURLToPath(new URL('..', import.meta.url));
const { status } = spawnSync(
  join(root, 'node_modules/.bin/vitest'),
  ['run', ...(parts.length > 0 ? parts : ['test/shared/platform/table', 'test/http'])],
  { cwd: root, stdio: 'inherit', env: { ...process.env, DYNAMODB_ENDPOINT: engine.endpoint } },
);
await engine.stop();
process.exit(status ?? 1);
