import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { areas } from '#functions/contract.ts';
import { graphOf, readSources } from '#test/architecture/sources.ts';

/** These start the whole service, so that an import of them does not show what a test checks. */
const WHOLE_SERVICE = [
  'local/system.ts',
  'test/support/system-process.ts',
  'functions/contract.ts',
  'functions/workers/contract.ts',
];

/** The workers behind operations that leave a task. */
const WORKERS = new Map([
  ['importFindings', 'functions/workers/ingest/index.ts'],
  ['submitCompletion', 'functions/workers/completions/index.ts'],
]);

/** This test calls each collection by its routes, so that it names no operation. */
const OF_EVERY_COLLECTION = 'test/http/every-record.test.ts';

type Covering = { test: string; beside: number; steps: number; reaches: number };

/**
 * The tests that reach a file: first tests of the file's folder, then those with the fewest imports and the least other
 * code.
 */
export function coveringTests(root: string): (file: string) => string[] {
  const sources = readSources();
  const graph = graphOf(sources);
  const indexOf = new Map(
    areas.flatMap(({ name, wing, routes }) =>
      Object.keys(routes).map((operation): [string, string] => [operation, `functions/${wing}/${name}/index.ts`]),
    ),
  );
  /** Tests call operations by name: the functions behind them run in the process of the system. */
  const called = (file: string): string[] => {
    if (!file.startsWith('test/')) return [];
    const names = [...(sources.get(file) ?? '').matchAll(/'([a-z]\w+)'/g)].map(([, name = '']) => name);
    return names.flatMap((name) => [indexOf.get(name) ?? [], WORKERS.get(name) ?? []].flat());
  };
  const next = (file: string): string[] =>
    WHOLE_SERVICE.includes(file)
      ? []
      : [...(graph.get(file) ?? []), ...called(file)].filter((one) => existsSync(join(root, one)));
  const tests = [...sources.keys()].filter(
    (file) => file.endsWith('.test.ts') && !/^test\/(?:architecture|infra|bench|fuzz)\//.test(file),
  );
  const reached = new Map(tests.map((test) => [test, stepsFrom(test, next)]));
  return (file) => {
    const covering = tests.flatMap((test): Covering[] => {
      const steps = reached.get(test)?.get(file);
      return steps === undefined
        ? []
        : [{ test, beside: besideOf(test, file), steps, reaches: reached.get(test)?.size ?? 0 }];
    });
    const nearest = covering
      .toSorted((a, b) => b.beside - a.beside || a.steps - b.steps || a.reaches - b.reaches)
      .map(({ test }) => test);
    return /\/handlers\.ts$/.test(file) ? [OF_EVERY_COLLECTION, ...nearest] : nearest;
  };
}

/** @returns 3 for the test that has the file's name, 2 for others of its folder, since tests mirror the tree, 1 for those of the folders around it */
export function besideOf(test: string, file: string): number {
  if (test === `test/${file.replace(/\.ts$/, '.test.ts')}`) return 3;
  if (test.startsWith(`test/${dirname(file)}/`)) return 2;
  return `test/${file}`.startsWith(`${dirname(test)}/`) ? 1 : 0;
}

/** The number of imports from a file to each file that it reaches. */
function stepsFrom(file: string, next: (file: string) => string[]): Map<string, number> {
  const steps = new Map([[file, 0]]);
  // a loop over a map also visits entries that are added during the loop
  for (const [one, count] of steps)
    for (const imported of next(one)) if (!steps.has(imported)) steps.set(imported, count + 1);
  return steps;
}
