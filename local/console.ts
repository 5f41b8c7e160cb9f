import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { consoleDirectory, isConsoleBuilt } from '#infra/console.ts';
import { cachingOf, consolePolicy, REFERRER_POLICY, typeOf } from '#infra/console-headers.ts';
import { openConnections } from '#shared/platform/runtime/connections.ts';

/** Answers the files and pages of the console; undefined: the path is none of them. */
export type Pages = (asked: {
  method: string;
  path: string;
  accept: string;
}) => APIGatewayProxyStructuredResultV2 | undefined;

/** The console of the present sources. Their build takes a few seconds, and only after a change. @throws when it fails */
export async function consolePages(): Promise<Pages> {
  if (!isConsoleBuilt()) await buildConsole();
  const names = readdirSync(consoleDirectory, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const files = new Map(
    names.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [`/${relative(consoleDirectory, file)}`, fileAnswer(file)];
    }),
  );
  const page = files.get('/index.html');
  return ({ method, path, accept }) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    // the address of a screen is a page, whichever screen it is
    const file = files.get(path) ?? (accept.includes('text/html') && !path.startsWith('/api/') ? page : undefined);
    return file?.();
  };
}

/** Another process: this one does not keep the memory of the build. */
async function buildConsole(): Promise<void> {
  const script = new URL('../infra/build-console.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('The console could not be built; its messages are above.');
}

/** The address of the storage is known once the system has started. */
function fileAnswer(file: string): () => APIGatewayProxyStructuredResultV2 {
  const body = readFileSync(file).toString('base64');
  return () => ({
    statusCode: 200,
    headers: {
      'content-type': typeOf(file),
      'cache-control': cachingOf(file),
      'content-security-policy': consolePolicy(openConnections().settings.S3_ENDPOINT ?? ''),
      'x-content-type-options': 'nosniff',
      'referrer-policy': REFERRER_POLICY,
    },
    body,
    isBase64Encoded: true,
  });
}
