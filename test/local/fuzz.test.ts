import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('requests that are fuzzed from the document find no internal error, no wrong answer and none that is slow', () => {
  const { stdout, status } = spawnSync('npm', ['run', 'fuzz', '--', '--requests', '400', '--seed', '14'], {
    encoding: 'utf8',
  });
  expect(stdout).toMatch(/^400 requests, 0 faults, seed 14: .*"200":\d{2,}/m);
  expect(status, stdout).toBe(0);
});
