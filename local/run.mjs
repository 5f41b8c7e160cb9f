// Installs missing packages and runs a TypeScript file of this repository under the Node release of the lockfile.
// This file is plain JavaScript without dependencies, because a fresh clone starts it with any Node >= 20.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asksForHelp, helpOf } from './help.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const pinnedNode = join(root, 'node_modules/node/bin/node');
const requiredMajor = 24;
/**
 * The young generation has two halves of at most 8 MB. The heap is cleaned at 1.7 times the size after the last
 * cleaning, instead of up to four times. glibc uses one arena for memory outside the heap (buffers, deflated records)
 * instead of eight per core, because each arena keeps its freed memory. With these settings a large import stays within
 * 400 MB (docs/decisions/0048).
 */
const memory = ['--max-semi-space-size=8', '--heap-growing-percent=70'];
const arenas = { MALLOC_ARENA_MAX: '1' };
/** Node's compile cache: a command starts a second earlier. `npm ci` removes it. */
const compiled = join(root, 'node_modules/.cache/compiled');

const [script, ...args] = process.argv.slice(2);
if (script === undefined) {
  console.error('usage: node local/run.mjs <script.ts> [arguments]');
  process.exit(64);
}
const help = asksForHelp(args) ? helpOf(root, script) : undefined;
if (help !== undefined) {
  console.log(help);
  process.exit(0);
}
/** `npm start` runs with the dependencies alone: whoever tries the service waits for no tool of its developers. */
const isForDevelopment = script !== 'local/start.ts';
const lacking = lackingPackages();
if (lacking !== undefined) install(lacking);
run(runtime(), [resolve(root, script), ...args]);

/**
 * npm writes node_modules/.package-lock.json as its last step. The file therefore shows an interrupted installation, or
 * one that is older than the lockfile. Optional packages for other platforms may be missing.
 *
 * @returns the arguments of the npm that installs them. What `npm start` needs is not installed again for the tests: the service may be
 * running.
 */
function lackingPackages() {
  const installed = packagesOf(join(root, 'node_modules/.package-lock.json'));
  const all = ['ci', ...(isForDevelopment ? [] : ['--omit=dev'])];
  if (installed === undefined) return all;
  const wanted = Object.entries(packagesOf(join(root, 'package-lock.json')) ?? {});
  const needed = wanted.filter(([path, { link }]) => path !== '' && !link);
  if (needed.some(([path, { version }]) => (installed[path]?.version ?? version) !== version)) return all;
  const missing = needed.filter(([path, one]) => !installed[path] && !one.optional && !one.devOptional);
  if (missing.some(([, { dev }]) => !dev)) return all;
  return isForDevelopment && missing.length > 0 ? ['install', '--no-save'] : undefined;
}

function packagesOf(lockfile) {
  try {
    return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function install([verb, ...options]) {
  console.error(`Installing the packages of package-lock.json (npm ${verb}). This takes about half a minute, once.`);
  const npm = spawnSync('npm', [verb, ...options, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    // Standard output belongs to the script: a caller may read it through a pipe.
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
    shell: process.platform === 'win32',
  });
  if (npm.status === 0) return;
  console.error(
    npm.error ? `npm could not be started: ${npm.error.message}` : `npm ${verb} failed; its messages are above.`,
  );
  process.exit(npm.status ?? 1);
}

function runtime() {
  if (existsSync(pinnedNode)) return pinnedNode;
  if (Number(process.versions.node.split('.')[0]) >= requiredMajor) return process.execPath;
  console.error(`Node ${requiredMajor} is needed and node_modules has none. Run "npm ci" without --ignore-scripts.`);
  process.exit(1);
}

/** Passes signals on to the child and ends with its exit code. If this process is killed, the child ends too. */
function run(node, argv) {
  const npm = npmAbove(process.ppid); // before the child prints anything that makes somebody end npm
  const first = ['./follow-parent.mjs', './report-mistakes.ts'].map((file) => new URL(file, import.meta.url).href);
  const imports = first.flatMap((address) => ['--import', address]);
  const child = spawn(node, [...memory, ...imports, ...argv], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      NODE_COMPILE_CACHE: compiled,
      ...arenas,
      ...process.env,
      PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH ?? ''}`,
    },
  });
  // A terminal sends SIGINT to the whole group; the child would get a forwarded signal twice.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']) process.on(signal, () => child.kill(signal));
  if (npm !== undefined) follow(npm, () => child.kill('SIGTERM'));
  child.on('error', (error) => {
    console.error(`${node} could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** npm passes a signal to its shell only, which ends without this process, and a killed npm passes nothing. */
function follow(npm, stop) {
  const timer = setInterval(() => {
    try {
      process.kill(npm, 0);
    } catch {
      clearInterval(timer);
      stop();
    }
  }, 500);
}

/** The process of npm that runs this script, at most with a shell between. */
function npmAbove(pid, shells = 1) {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return undefined;
  try {
    const shown = execFileSync('ps', ['-o', 'ppid=,comm=', '-p', `${pid}`], { encoding: 'utf8' });
    const [parent, name = ''] = shown.trim().split(/\s+/);
    if (/^npm\b/.test(name)) return pid;
    return shells > 0 ? npmAbove(Number(parent), shells - 1) : undefined;
  } catch {
    return undefined; // a system without ps
  }
}
