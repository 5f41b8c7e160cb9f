import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chunksOf } from '#shared/runtime/chunks.ts';
import { readSources } from '#test/architecture/sources.ts';
import { dice } from '#test/support/faults.ts';
import { isMutated, MUTATED_AREAS } from './mutate/areas.ts';
import { coveringTests } from './mutate/covering.ts';
import { type Mutant, mutantsOf } from './mutate/mutants.ts';
import { reachedBy } from './mutate/reached.ts';
import { runTests } from './mutate/run-tests.ts';

/**
 * `npm run mutate -- [--area table] [--sample 20] [--seed 7] [--file PATH[:LINE]] [--tests 10]`: makes single changes to a copy of the
 * code, runs the tests that run the changed function, and lists the changes that no test noticed. Exits with 1 when there are some.
 */
const { values } = parseArgs({
  options: {
    area: { type: 'string' },
    sample: { type: 'string', default: '10' },
    seed: { type: 'string', default: `${Date.now() % 1_000_000}` },
    file: { type: 'string' },
    tests: { type: 'string', default: '10' },
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
type Outcome = 'killed' | 'survived' | 'not covered';

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

/** The tests near the file that pass and run the changed function, a few files at a time: the nearest first, then the quickest. */
function testsOf({ file, within }: Chosen): string[][] {
  const near = covering(file).slice(0, Number(values.tests));
  const all = near.map((test) => ({ test, ...reachedBy(code, test) })).filter(({ passed }) => passed);
  const isKnown = all.some(({ functions }) => functions[file]?.includes(within));
  const reaching = isKnown ? all.filter(({ functions }) => functions[file]?.includes(within)) : all;
  const [first, ...others] = reaching.map(({ test }) => test);
  const quickest = reaching.toSorted((a, b) => a.seconds - b.seconds).map(({ test }) => test);
  const next = quickest.filter((test) => others.includes(test));
  return first === undefined ? [] : [[first], ...chunksOf(next, 3)];
}

function outcomeOf(mutant: Chosen): Outcome {
  const { file, start, end, text } = mutant;
  const tests = testsOf(mutant);
  if (tests.length === 0) return 'not covered';
  const before = source(file);
  writeFileSync(join(copy, file), before.slice(0, start) + text + before.slice(end));
  try {
    return tests.every((some) => runTests(code, some)) ? 'survived' : 'killed';
  } finally {
    writeFileSync(join(copy, file), before);
  }
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 100);

function judge(name: string, chosen: readonly Chosen[]): Chosen[] {
  const survivors: Chosen[] = [];
  for (const mutant of chosen) {
    const outcome = outcomeOf(mutant);
    console.log(
      `${outcome.padEnd(12)} ${mutant.file}:${mutant.line}  ${inOneLine(mutant.was)}  ->  ${inOneLine(mutant.text)}`,
    );
    if (outcome !== 'killed') survivors.push(mutant);
  }
  const killed = chosen.length - survivors.length;
  const share = chosen.length > 0 ? ` (${((100 * killed) / chosen.length).toFixed(0)} %)` : '';
  console.log(`${name}: ${killed} of ${chosen.length} killed${share}\n`);
  return survivors;
}

copyCode();
const seed = Number(values.seed);
console.log(`seed ${seed}`);
let survivors = 0;
if (values.file) {
  const [file = '', line] = values.file.split(':');
  const chosen = sampleOf([file], dice(seed)).filter((mutant) => !line || mutant.line === Number(line));
  survivors = judge(values.file, chosen).length;
} else {
  for (const [name, beginnings] of Object.entries(MUTATED_AREAS).filter(
    ([one]) => !values.area || one === values.area,
  )) {
    const paths = files.filter((file) => isMutated(file) && beginnings.some((beginning) => file.startsWith(beginning)));
    survivors += judge(name, sampleOf(paths, dice(seed))).length;
  }
}
process.exitCode = survivors > 0 ? 1 : 0;
