// Runs a TypeScript file of this repository under the Node release that the lockfile pins, after installing what is
// missing. Plain JavaScript without dependencies, because it is what a fresh clone starts with under any Node >= 20.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const pinnedNode = join(root, 'node_modules/node/bin/node');
const requiredMajor = 24;

const [script, ...args] = process.argv.slice(2);
if (script === undefined) {
  console.error('usage: node local/run.mjs <script.ts> [arguments]');
  process.exit(64);
}
if (!isInstalled()) install();
run(runtime(), [resolve(root, script), ...args]);

/**
 * npm writes node_modules/.package-lock.json as the last step of an installation, so it tells both an interrupted
 * installation and one that is older than the lockfile. Optional packages may be missing: they are for other platforms.
 */
function isInstalled() {
  const installed = packagesOf(join(root, 'node_modules/.package-lock.json'));
  if (installed === undefined) return false;
  const wanted = packagesOf(join(root, 'package-lock.json')) ?? {};
  return Object.entries(wanted).every(([path, { version, optional, devOptional, link }]) => {
    if (path === '' || link) return true;
    const present = installed[path];
    return present === undefined ? Boolean(optional || devOptional) : present.version === version;
  });
}

function packagesOf(lockfile) {
  try {
    return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function install() {
  console.error('Installing the packages of package-lock.json (npm ci). This takes about half a minute, once.');
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    // Standard output belongs to the script: someone may be piping it.
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
    shell: process.platform === 'win32',
  });
  if (npm.status === 0) return;
  console.error(
    npm.error ? `npm could not be started: ${npm.error.message}` : 'npm ci failed; its messages are above.',
  );
  process.exit(npm.status ?? 1);
}

function runtime() {
  if (existsSync(pinnedNode)) return pinnedNode;
  if (Number(process.versions.node.split('.')[0]) >= requiredMajor) return process.execPath;
  console.error(`Node ${requiredMajor} is needed and node_modules has none. Run "npm ci" without --ignore-scripts.`);
  process.exit(1);
}

/** Signals go on to the child, and its end is ours. The child follows this process if it is killed outright. */
function run(node, argv) {
  const follow = new URL('./follow-parent.mjs', import.meta.url);
  const child = spawn(node, ['--import', follow.href, ...argv], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH ?? ''}` },
  });
  // A terminal sends SIGINT to the whole group, so that the child gets it twice if it is forwarded too.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`${node} could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
