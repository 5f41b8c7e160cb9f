import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { consoleDirectory, consoleSources, isConsoleBuilt, noteConsoleBuilt } from './console.ts';

/**
 * `npm run build:console` writes the console to `dist/console`. Several processes may ask for it at once (`--if-changed`): one builds, and
 * the others wait for its lock, which ends with the process in any case.
 */
const { values } = parseArgs({ options: { 'if-changed': { type: 'boolean', default: false } } });
mkdirSync(dirname(consoleDirectory), { recursive: true });
const lock = new DatabaseSync(`${consoleDirectory}.lock`, { timeout: 300_000 });
lock.exec('BEGIN EXCLUSIVE');
if (values['if-changed'] && isConsoleBuilt()) process.exit(0);

/** A screen that is opened first loads at most these scripts, compressed. */
const MAX_FIRST_LOAD_BYTES = 120 * 1024;

/** Browsers of 2024 and later, which know `light-dark()` of the design tokens. */
const target = ['chrome123', 'edge123', 'firefox120', 'safari17.5'];

const built = await build({
  configFile: false,
  root: consoleSources,
  logLevel: 'warn',
  build: {
    outDir: consoleDirectory,
    emptyOutDir: true,
    // `/assets` is a screen
    assetsDir: 'static',
    target,
    cssTarget: target,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});

const chunks = new Map(
  [built]
    .flat()
    .flatMap((one) =>
      'output' in one
        ? one.output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : []))
        : [],
    ),
);
const entry = [...chunks.values()].find(({ isEntry }) => isEntry);
if (!entry) throw new Error('The page of the console names no script.');

/** A script with all that it needs before it runs. */
function withImports(name: string, known = new Set<string>()): Set<string> {
  if (known.has(name)) return known;
  known.add(name);
  for (const next of chunks.get(name)?.imports ?? []) withImports(next, known);
  return known;
}

const sizes = new Map([...chunks].map(([name, { code }]) => [name, gzipSync(code).length]));
const first = withImports(entry.fileName);
for (const screen of entry.dynamicImports) {
  const bytes = [...new Set([...first, ...withImports(screen)])].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
  if (bytes > MAX_FIRST_LOAD_BYTES)
    throw new Error(`${screen} loads ${bytes} bytes of scripts; ${MAX_FIRST_LOAD_BYTES} are the most.`);
  console.log(`${screen}: ${Math.round(bytes / 1024)} KB of scripts, compressed, when it is the first page`);
}
noteConsoleBuilt();
