import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's own TypeScript: each file's path from the root, with its text. */
export type Sources = ReadonlyMap<string, string>;
/** An import of another file of the repository. `names` are the exports it uses, `*` for all of them. */
export type Import = { file: string; names: string[] };

const root = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['bench', 'cli', 'console', 'functions', 'infra', 'local', 'shared', 'test'];

export function readSources(): Sources {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const sources = files.filter((file) => /\.(tsx?|mjs)$/.test(file) && !file.startsWith('test/fixtures/'));
  return new Map(sources.toSorted().map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

const STATIC = /^(?:import|export)\s([^'"`;]*?)\sfrom '([^']+)'/gm;
const DYNAMIC = /\bimport\(\s*'([^']+)'\s*\)|^import '([^']+)'|\bnew URL\('(\.[^']+\.(?:ts|mjs))'/gm;

/** The imports of a file, types included. The formatter writes every import with single quotes and at the line's start. */
export function importsOf(file: string, text: string): Import[] {
  const fixed = [...text.matchAll(STATIC)].map(([, what = '', from = '']) => ({ from, names: namesIn(what) }));
  const loaded = [...text.matchAll(DYNAMIC)].map(([, ...from]) => ({ from: from.join(''), names: ['*'] }));
  return [...fixed, ...loaded].flatMap(({ from, names }) => {
    if (from.startsWith('#')) return { file: from.slice(1), names };
    return from.startsWith('.') ? { file: normalize(join(dirname(file), from)), names } : [];
  });
}

/** The files that each file imports. */
export function graphOf(sources: Sources): Map<string, string[]> {
  return new Map(
    [...sources].map(([file, text]) => {
      const imports = importsOf(file, text).map((one) => one.file);
      return [file, [...new Set(imports)].filter((imported) => sources.has(imported))];
    }),
  );
}

/** The names of `{ a, type B, c as d }`, without what they are called here. */
function namesIn(clause: string): string[] {
  const braces = /\{([^}]*)\}/.exec(clause)?.[1];
  if (braces === undefined) return ['*'];
  return braces.split(',').flatMap((name) => /^\s*(?:type )?(\w+)/.exec(name)?.[1] ?? []);
}
