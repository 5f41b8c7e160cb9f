import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `npm run test:faults -- 200`: so many seeded plans of faults, kills and redrives; `-- --seed 17` repeats one. */
const [count = '200', seed = ''] = process.argv.slice(2);
const root = fileURLToPath(new URL('..', import.meta.url));
const plans = count === '--seed' ? { FAULT_SEED: seed } : { FAULT_PLANS: count };
const { status } = spawnSync(join(root, 'node_modules/.bin/vitest'), ['run', 'fault-plans.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...plans },
});
process.exit(status ?? 1);
