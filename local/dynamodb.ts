import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Engine, startEngine } from './engine-process.ts';
import { externalEndpoints } from './external-endpoints.ts';
import { Mistake } from './mistake.ts';

const binary = fileURLToPath(new URL('../node_modules/@dynoxide/linux-x64/dynoxide', import.meta.url));

/**
 * A native DynamoDB engine on this machine. It stores its data in SQLite, or in memory without a data directory.
 * `DYNAMODB_ENDPOINT` names a running engine to use instead.
 */
export async function startDynamoDb(options: { dataDir?: string; logFile: string }): Promise<Engine> {
  const external = externalEndpoints.dynamoDb;
  if (external) return { endpoint: external, stop: async () => undefined };
  assertRunsHere();
  const storage = options.dataDir ? ['--db-path', join(options.dataDir, 'table.sqlite')] : [];
  return startEngine({
    command: (port) => [binary, 'serve', '--host', '127.0.0.1', '--port', String(port), ...storage],
    logFile: options.logFile,
    readyWithinMs: 10_000,
  });
}

function assertRunsHere(): void {
  try {
    accessSync(binary, constants.X_OK);
  } catch {
    throw new Mistake(
      `The embedded DynamoDB engine is for Linux on x64 and this is ${process.platform} on ${process.arch}. ` +
        'Start DynamoDB Local (for example: docker run -p 8000:8000 amazon/dynamodb-local) ' +
        'and set DYNAMODB_ENDPOINT=http://127.0.0.1:8000.',
    );
  }
}
