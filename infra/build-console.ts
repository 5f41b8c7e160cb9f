import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { consoleDirectory, consoleSources, noteConsoleBuilt } from './console.ts';

/** `npm run build:console` writes the console to `dist/console`. The first page loads at most these scripts, compressed. */
const MAX_FIRST_LOAD_BYTES = 120 * 1024;

/** Browsers of 2024 and later, which know `light-dark()` of the design tokens. */
const target = ['chrome123', 'edge123', 'firefox120', 'safari17.5'];

await build({
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

const page = readFileSync(join(consoleDirectory, 'index.html'), 'utf8');
const scripts = [...page.matchAll(/<(?:script|link)[^>]*? (?:src|href)="\/(static\/[^"]+\.js)"/g)].map(
  ([, name = '']) => name,
);
const bytes = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(consoleDirectory, name))).length, 0);
console.log(`dist/console: ${Math.round(bytes / 1024)} KB of scripts, compressed`);
if (scripts.length === 0) throw new Error('The page of the console names no script.');
if (bytes > MAX_FIRST_LOAD_BYTES)
  throw new Error(`The first page loads ${bytes} bytes of scripts; ${MAX_FIRST_LOAD_BYTES} are the most.`);
noteConsoleBuilt();
