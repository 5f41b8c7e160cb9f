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

const program = await bundled('main.ts', {});
// The first lines answer what needs no program, and compile the rest, which is a text.
const text = `#!/usr/bin/env node\n${await bundled('start.ts', { PROGRAM: JSON.stringify(program) })}`;
await mkdir(dirname(file), { recursive: true });
// Several tests may build at once: each replaces the file as a whole.
const next = `${file}.${process.pid}`;
await writeFile(next, text);
await chmod(next, 0o755);
await rename(next, file);
console.log(`cli/dist/exposure.cjs: ${Math.round(Buffer.byteLength(text) / 1024)} KB`);

if (values.executable || values.node) {
  const made = await buildExecutable(file, values.node ?? process.execPath);
  console.log(`cli/dist/${made.name}: ${Math.round(made.bytes / 1024 / 1024)} MB`);
}

async function bundled(entry: string, define: Record<string, string>): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(repositoryRoot, 'cli', entry)],
    bundle: true,
    write: false,
    platform: 'node',
    // single executables of Node load CommonJS alone
    format: 'cjs',
    target: 'node22',
    minify: true,
    keepNames: true,
    legalComments: 'eof',
    define: { CLI_VERSION: JSON.stringify(version), ...define },
  });
  return outputFiles[0]?.text ?? '';
}
