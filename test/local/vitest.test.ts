import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { runTests } from '#local/mutate/run-tests.ts';
import { runVitest } from '#local/vitest.ts';

const nothing = mkdtempSync(join(tmpdir(), 'no-tests-'));
afterAll(() => rmSync(nothing, { recursive: true }));

test('a change that cannot be judged ends the command with the reason', () => {
  expect(() => runTests({ root: nothing, copy: nothing }, { tests: ['a.test.ts'] })).toThrow(
    /no report on a\.test\.ts: it ended with 1[\s\S]*Cannot find module/,
  );
});

test('tests that cannot be started fail with the reason', () => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  expect(runVitest(['a'.repeat(1_000_000)], {})).toBe(1);
  expect(said).toHaveBeenCalledWith(expect.stringContaining('cannot be started'));
});
