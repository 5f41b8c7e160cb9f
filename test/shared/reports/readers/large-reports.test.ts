import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** With few new objects at once, a scavenge finds room for them also when the busy machine marks late. */
const HEAP = ['--max-old-space-size=64', '--max-semi-space-size=4'];

test('a SARIF of 200 MB, its rules at the end, is read whole in a worker with 64 MB of heap', async () => {
  const script = fileURLToPath(new URL('./large-report.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [...HEAP, script, '200']);
  const seen = JSON.parse(stdout);
  expect(seen.megabytes).toBeGreaterThanOrEqual(200);
  expect(seen.findings).toBeGreaterThan(100_000);
  expect(seen.withHelp).toBe(seen.findings);
  expect(seen.residentMb).toBeLessThan(512);
});
