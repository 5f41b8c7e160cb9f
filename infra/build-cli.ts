import { readFileSync } from 'node:fs';
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import * as z from 'zod';
import { buildExecutable } from './cli-executable.ts';
import { repositoryRoot } from './repository.ts';

/**
 * `npm run build:cli` bundles the command line client into one file. `npm pack ./cli` then makes its package.
 * `--executable` makes a program that needs no Node, too: of this Node, or of `--node FILE` for another machine.
 */
const { values } = parseArgs({ options: { executable: { type: 'boolean' }, node: { type: 'string' } } });
const file = join(repositoryRoot, 'cli/dist/exposure.cjs');
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(repositoryRoot, 'cli/package.json'), 'utf8')));

const { outputFiles } = await build({
  entryPoints: [join(repositoryRoot, 'cli/main.ts')],
  bundle: true,
  write: false,
  outfile: file,
  platform: 'node',
  // single executables of Node load CommonJS alone
  format: 'cjs',
  target: 'node22',
  minify: true,
  keepNames: true,
  legalComments: 'eof',
  banner: { js: '#!/usr/bin/env node' },
  define: { CLI_VERSION: JSON.stringify(version) },
});
await mkdir(dirname(file), { recursive: true });
// Several tests may build at once: each replaces the file as a whole.
const next = `${file}.${process.pid}`;
await writeFile(next, outputFiles[0]?.contents ?? '');
await chmod(next, 0o755);
await rename(next, file);
console.log(`cli/dist/exposure.cjs: ${Math.round((outputFiles[0]?.contents.length ?? 0) / 1024)} KB`);

if (values.executable || values.node) {
  const made = await buildExecutable(file, values.node ?? process.execPath);
  console.log(`cli/dist/${made.name}: ${Math.round(made.bytes / 1024 / 1024)} MB`);
}
