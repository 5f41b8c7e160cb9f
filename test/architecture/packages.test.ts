import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { graphOf, readSources } from './sources.ts';

const sources = readSources();
const graph = graphOf(sources);
/** The processes of `npm start`, and the page that it builds. */
const STARTED = ['local/start.ts', 'local/workers-process.ts', 'console/main.tsx'];

function reached(first: readonly string[]): Set<string> {
  const files = new Set<string>(first);
  for (const file of files) for (const next of graph.get(file) ?? []) files.add(next);
  return files;
}

/** The packages whose code a file loads. Types alone are gone when it runs. */
const PACKAGE =
  /(?:^(?:import|export)\s(?!type\b)[^'"`;]*?from |^import |\bimport\(\s*)'((?:@[\w.-]+\/)?[a-z][\w.-]*)/gm;

test('a clone that has only the dependencies runs `npm start`', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const loaded = [...reached(STARTED)].flatMap((file) =>
    [...(sources.get(file) ?? '').matchAll(PACKAGE)].map(([, name = '']) => ({ file, name })),
  );
  expect(loaded.filter(({ name }) => name === 'zod').length).toBeGreaterThan(0);
  expect(loaded.filter(({ name }) => name !== 'node' && !(name in dependencies))).toEqual([]);
});
