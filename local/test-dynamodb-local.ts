import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDynamoDbLocal } from './dynamodb-local.ts';
import { runVitest } from './vitest.ts';

/** `npm run test:dynamodb-local`: runs the tests of the store and the end-to-end tests on AWS's own engine too. */
const parts = process.argv.slice(2);
const engine = await startDynamoDbLocal({
  logFile: join(mkdtempSync(join(tmpdir(), 'dynamodb-local-')), 'engine.log'),
});
const files = parts.length > 0 ? parts : ['test/shared/platform/table', 'test/http'];
const status = runVitest(files, { DYNAMODB_ENDPOINT: engine.endpoint });
await engine.stop();
process.exit(status);
