import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `npm run test:deep`: the tests of test/deep/, and some others once more in a system with the settings of the stack. */
const root = fileURLToPath(new URL('..', import.meta.url));
const { status } = spawnSync(join(root, 'node_modules/.bin/vitest'), ['run', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, TEST_TIER: 'deep' },
});
process.exit(status ?? 1);
