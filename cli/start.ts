import { existsSync } from 'node:fs';
import Module, { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { EXIT } from './errors.ts';
import { VERSION } from './version.ts';

/** The text of the bundle of main.ts. A text costs a start little, as long as nothing compiles it. */
declare const PROGRAM: string;

const OLDEST_NODE = 22;

function start(first: string | undefined): void {
  // a reader such as `head` may close the pipe
  process.stdout.on('error', () => process.exit(EXIT.incomplete));
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
    process.stderr.write(
      `exposure needs Node ${OLDEST_NODE} or newer; this is ${process.versions.node}. A program without Node is in docs/cli.md, "One executable".\n`,
    );
    process.exitCode = EXIT.usage;
  } else if (first === '--version' || first === '-V') process.stdout.write(`${VERSION}\n`);
  else runProgram(process.env);
}

/** Node keeps the compiled program in the user's folder for caches, where there is one, and does without where it cannot write there. */
function runProgram({ XDG_CACHE_HOME, HOME = '' }: NodeJS.ProcessEnv): void {
  const caches = XDG_CACHE_HOME || join(HOME, '.cache');
  if (existsSync(caches)) enableCompileCache?.(join(caches, 'exposure')); // Node 22.8 and newer
  const program = new Module(__filename);
  if (!isCompiler(program)) throw new Error('This Node compiles no text as a module.');
  program._compile(PROGRAM, __filename);
}

/** Node compiles a text as a module, with its cache, only so. */
const isCompiler = (module: object): module is { _compile(text: string, name: string): void } => '_compile' in module;

start(process.argv[2]);
