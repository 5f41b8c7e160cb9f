import { type SpawnSyncOptionsWithStringEncoding, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';

/** The code, and the copy of it that is changed. */
export type Code = { root: string; copy: string };

export type Verdict = 'passed' | 'failed' | 'timed out';

/** `limitMs`: the most that a single test may take. */
type Run = { tests: readonly string[]; limitMs?: number; env?: Record<string, string> };

/** The most output of a run; a run with more output ends there. */
const MAX_SAID_BYTES = 256 * 1024 * 1024;
/** A service that never starts ends here. */
const MAX_MS = 900_000;

/** Vitest's report, in the format of Jest. Only its file's message reports a failed hook. */
const Report = z.object({
  testResults: z.array(
    z.object({
      message: z.string(),
      assertionResults: z.array(z.object({ failureMessages: z.array(z.string()).nullish() })),
    }),
  ),
});

/** Runs test files on the copy. 'timed out': some took too long, and no expectation was disappointed. */
export function runTests({ root, copy }: Code, { tests, limitMs, env = {} }: Run): Verdict {
  const directory = mkdtempSync(join(tmpdir(), 'exposure-verdict-'));
  try {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const report = join(directory, 'report.json');
    const limits = limitMs === undefined ? [] : [`--testTimeout=${limitMs}`, `--hookTimeout=${limitMs}`];
    const options = ['--bail=1', '--reporter=json', `--outputFile=${report}`, ...limits];
    const run: SpawnSyncOptionsWithStringEncoding = {
      cwd: copy,
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      timeout: MAX_MS,
      maxBuffer: MAX_SAID_BYTES,
      // any file runs, and properties as often as in `npm test`, whatever tier and share the caller runs in
      env: { ...process.env, TEST_TIER: undefined, TEST_SHARE: undefined, ...env },
    };
    const { status, signal, error, stderr } = spawnSync(process.execPath, [vitest, 'run', ...tests, ...options], run);
    if (error && 'code' in error && error.code === 'ETIMEDOUT') return 'timed out';
    if (status === 0) return 'passed';
    if (existsSync(report)) return verdictOf(report);
    const reason = error?.message ?? `it ended with ${signal ?? status}`;
    throw new Error(`vitest gave no report on ${tests.join(', ')}: ${reason}\n${stderr.slice(-2_000)}`);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function verdictOf(report: string): Verdict {
  const { testResults } = Report.parse(JSON.parse(readFileSync(report, 'utf8')));
  const failures = testResults.flatMap(({ message, assertionResults }) => [
    ...(message ? [message] : []),
    ...assertionResults.flatMap(({ failureMessages }) => failureMessages ?? []),
  ]);
  const isLate = failures.length > 0 && failures.every((failure) => /(?:Test|Hook) timed out in/.test(failure));
  return isLate ? 'timed out' : 'failed';
}
