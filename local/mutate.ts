import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { readSources } from '#test/architecture/sources.ts';
import { dice } from '#test/support/faults.ts';
import { isMutated, MUTATED_AREAS } from './mutate/areas.ts';
import { besideOf, coveringTests } from './mutate/covering.ts';
import { type Mutant, mutantsOf } from './mutate/mutants.ts';
import { reachedBy } from './mutate/reached.ts';
import { runTests, type Verdict } from './mutate/run-tests.ts';

/**
 * `npm run mutate -- [--area table] [--sample 20] [--seed 7] [--file PATH[:LINE]] [--tests 24]`: makes single changes
 * to a copy of the code, runs the tests that run the changed function, and lists the changes that no test noticed.
 * Exits with 1 when there are some. `--tests`: the number of nearest test files to run, besides all files of the same
 * folder and the folders around it.
 */
const { values } = parseArgs({
  options: {
    area: { type: 'string' },
    sample: { type: 'string', default: '10' },
    seed: { type: 'string', default: `${Date.now() % 1_000_000}` },
    file: { type: 'string' },
    tests: { type: 'string', default: '24' },
  },
});
if (values.area !== undefined && !(values.area in MUTATED_AREAS)) {
  console.error(`no such area: ${values.area}; there are ${Object.keys(MUTATED_AREAS).join(', ')}`);
  process.exit(64);
}
const root = fileURLToPath(new URL('..', import.meta.url));
const COPIED = [
  'bench',
  'docs',
  'events',
  'functions',
  'infra',
  'local',
  'shared',
  'test',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
];
type Chosen = Mutant & { file: string };
/** 'not judged': a test took too long, and on unchanged code right after too. */
type Outcome = 'killed' | 'survived' | 'not covered' | 'not judged';

/** A test that waits forever ends here, if its file takes less than a third of this time. */
const LEAST_LIMIT_MS = 60_000;

const files = [...readSources().keys()];
const covering = coveringTests(root);
const copy = mkdtempSync(join(tmpdir(), 'exposure-mutated-'));
const code = { root, copy };
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const source = (file: string): string => readFileSync(join(root, file), 'utf8');

function copyCode(): void {
  for (const name of COPIED) cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir');
}

/** A sample of the changes to these files, each as likely as any other. */
function sampleOf(paths: readonly string[], draw: () => number): Chosen[] {
  const all = paths.flatMap((file) => mutantsOf(file, source(file)).map((mutant) => ({ ...mutant, file })));
  const shuffled = all.map((mutant) => ({ mutant, at: draw() })).toSorted((a, b) => a.at - b.at);
  return shuffled.slice(0, Number(values.sample)).map(({ mutant }) => mutant);
}

/**
 * The tests near the file that pass and run the changed function, a few files at a time: the nearest first, then the
 * quickest. Measures the other files only if the nearest tests do not notice the change.
 */
function* testsOf({ file, within }: Chosen): Generator<string[]> {
  const all = covering(file);
  const near = all.slice(0, Math.max(Number(values.tests), all.filter((test) => besideOf(test, file) > 0).length));
  const isReaching = (test: string): boolean => {
    const { passed, functions } = reachedBy(code, test);
    return passed && Boolean(functions[file]?.includes(within));
  };
  const first = near.find(isReaching);
  if (first !== undefined) yield [first];
  const others = near.filter((test) => test !== first && (first === undefined || isReaching(test)));
  yield* chunksOf(
    others.filter((test) => reachedBy(code, test).passed).toSorted((a, b) => secondsOf(a) - secondsOf(b)),
    3,
  );
}

const secondsOf = (test: string): number => reachedBy(code, test).seconds;

function outcomeOf(mutant: Chosen): Outcome {
  const { file, start, end, text } = mutant;
  const before = source(file);
  const changed = before.slice(0, start) + text + before.slice(end);
  let outcome: Outcome = 'not covered';
  for (const tests of testsOf(mutant)) {
    const limitMs = Math.max(LEAST_LIMIT_MS, ...tests.map((test) => 3000 * secondsOf(test)));
    const verdictOn = (content: string): Verdict => {
      writeFileSync(join(copy, file), content);
      return runTests(code, { tests, limitMs });
    };
    const verdict = verdictOn(changed);
    const isSlow = verdict === 'timed out' && verdictOn(before) !== 'passed';
    writeFileSync(join(copy, file), before);
    if (verdict !== 'passed' && !isSlow) return 'killed';
    if (outcome !== 'not judged') outcome = isSlow ? 'not judged' : 'survived';
  }
  return outcome;
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 100);

/** @returns how many no test noticed */
async function judge(name: string, chosen: readonly Chosen[]): Promise<number> {
  const outcomes: Outcome[] = [];
  for (const mutant of chosen) {
    const outcome = outcomeOf(mutant);
    // tests run while this process waits for them: a signal to end it is heard here only
    await setImmediate();
    console.log(
      `${outcome.padEnd(12)} ${mutant.file}:${mutant.line}  ${inOneLine(mutant.was)}  ->  ${inOneLine(mutant.text)}`,
    );
    outcomes.push(outcome);
  }
  const judged = outcomes.filter((outcome) => outcome !== 'not judged').length;
  const killed = outcomes.filter((outcome) => outcome === 'killed').length;
  const share = judged > 0 ? ` (${((100 * killed) / judged).toFixed(0)} %)` : '';
  console.log(`${name}: ${killed} of ${judged} killed${share}\n`);
  return judged - killed;
}

copyCode();
const seed = Number(values.seed);
console.log(`seed ${seed}`);
let survivors = 0;
if (values.file) {
  const [file = '', line] = values.file.split(':');
  const chosen = sampleOf([file], dice(seed)).filter((mutant) => !line || mutant.line === Number(line));
  survivors = await judge(values.file, chosen);
} else {
  for (const [name, beginnings] of Object.entries(MUTATED_AREAS).filter(
    ([one]) => !values.area || one === values.area,
  )) {
    const paths = files.filter((file) => isMutated(file) && beginnings.some((beginning) => file.startsWith(beginning)));
    survivors += await judge(name, sampleOf(paths, dice(seed)));
  }
}
process.exitCode = survivors > 0 ? 1 : 0;
