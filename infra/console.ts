import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './repository.ts';

export const consoleSources = join(repositoryRoot, 'console');

/** The console as `npm run build:console` writes it. */
export const consoleDirectory = join(repositoryRoot, 'dist/console');

/** Names the sources of the last build. It lies beside the console, and so is not served. */
const stamp = join(repositoryRoot, 'dist/console.sources');

/** The sources and everything that decides what becomes of them. */
function sourcesHash(): string {
  const names = readdirSync(consoleSources, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const others = ['infra/build-console.ts', 'package-lock.json'].map((name) => join(repositoryRoot, name));
  const hashes = [...files, ...others].sort().map((file) => file + hash('sha256', readFileSync(file)));
  return hash('sha256', hashes.join('\n'));
}

/** Whether `consoleDirectory` is the console of the present sources. */
export function isConsoleBuilt(): boolean {
  try {
    readFileSync(join(consoleDirectory, 'index.html'));
    return readFileSync(stamp, 'utf8') === sourcesHash();
  } catch {
    return false;
  }
}

export const noteConsoleBuilt = (): void => writeFileSync(stamp, sourcesHash());

/** Builds the console if its sources have changed, which takes a few seconds. @throws when the build fails */
export async function ensureConsole(): Promise<void> {
  if (isConsoleBuilt()) return;
  // another process: this one does not keep the memory of the build
  const script = join(repositoryRoot, 'infra/build-console.ts');
  const child = spawn(process.execPath, [script, '--if-changed'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('The console could not be built; its messages are above.');
}
