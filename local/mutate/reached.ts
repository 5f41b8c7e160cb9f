import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { type Code, runTests } from './run-tests.ts';

/** The functions that a test file runs, by source file, in its own processes and in the system's process. */
const Reached = z.object({
  passed: z.boolean(),
  seconds: z.number(),
  functions: z.record(z.string(), z.array(z.string())),
});
type Reached = z.infer<typeof Reached>;

/** V8's coverage file of a process. A function ran where its first range has a count. */
const Coverage = z.object({
  result: z.array(
    z.object({
      url: z.string(),
      functions: z.array(z.object({ functionName: z.string(), ranges: z.array(z.object({ count: z.int() })) })),
    }),
  ),
});

/** Tests that failed on unchanged code, which this run does not ask again. The next one does: they may have been interrupted. */
const failed = new Map<string, Reached>();

/**
 * Runs a test file once on unchanged code, and stores its functions in `dist/mutate/` until the file changes. A
 * function that is added later is in no record: all tests near it then run.
 */
export function reachedBy(code: Code, test: string): Reached {
  const text = readFileSync(join(code.root, test));
  const kept = join(code.root, 'dist/mutate', `${createHash('sha256').update(test).update(text).digest('hex')}.json`);
  const before = existsSync(kept) ? Reached.parse(JSON.parse(readFileSync(kept, 'utf8'))) : failed.get(kept);
  if (before) return before;
  const directory = mkdtempSync(join(tmpdir(), 'exposure-reached-'));
  const started = performance.now();
  // Node counts less precisely in code from its compile cache
  const env = { NODE_V8_COVERAGE: directory, NODE_DISABLE_COMPILE_CACHE: '1' };
  const passed = runTests(code, { tests: [test], env }) === 'passed';
  const seconds = (performance.now() - started) / 1000;
  const reached = { passed, seconds, functions: functionsIn(directory, code.copy) };
  rmSync(directory, { recursive: true });
  if (!passed) {
    console.log(`${test} fails on unchanged code, and judges no change`);
    failed.set(kept, reached);
    return reached;
  }
  mkdirSync(join(code.root, 'dist/mutate'), { recursive: true });
  // another run may read it meanwhile
  writeFileSync(`${kept}.${process.pid}`, JSON.stringify(reached));
  renameSync(`${kept}.${process.pid}`, kept);
  return reached;
}

function functionsIn(directory: string, copy: string): Record<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const name of readdirSync(directory)) {
    const { result } = Coverage.parse(JSON.parse(readFileSync(join(directory, name), 'utf8')));
    for (const { url, functions } of result) {
      const file = relativeTo(copy, url);
      if (file === undefined) continue;
      const names = found.get(file) ?? new Set();
      for (const { functionName, ranges } of functions) if ((ranges[0]?.count ?? 0) > 0) names.add(functionName);
      found.set(file, names);
    }
  }
  return Object.fromEntries([...found].map(([file, names]) => [file, [...names]]));
}

/** @returns undefined for a file of a package, of Node, or of the tests */
function relativeTo(copy: string, url: string): string | undefined {
  const path = url.startsWith('file:') ? fileURLToPath(url) : url;
  const file = path.startsWith(`${copy}/`) ? path.slice(copy.length + 1) : '';
  return /^(?:functions|shared)\//.test(file) ? file : undefined;
}
