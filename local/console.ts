import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { consoleDirectory, ensureConsole } from '#infra/console.ts';
import { cachingOf, consolePolicy, REFERRER_POLICY, typeOf } from '#infra/console-headers.ts';
import { openConnections } from '#shared/platform/runtime/connections.ts';

/** Answers the files and pages of the console; undefined: the path is none of them. */
export type Pages = (asked: {
  method: string;
  path: string;
  accept: string;
}) => APIGatewayProxyStructuredResultV2 | undefined;

/** The console of the present sources. @throws when its build fails */
export async function consolePages(): Promise<Pages> {
  await ensureConsole();
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

/** The address of the storage is known once the system has started. */
function fileAnswer(file: string): () => APIGatewayProxyStructuredResultV2 {
  const body = readFileSync(file).toString('base64');
  return () => {
    const { S3_ENDPOINT: storage = '', TURNSTILE_SITE_KEY: siteKey } = openConnections().settings;
    const headers = {
      'content-type': typeOf(file),
      'cache-control': cachingOf(file),
      'content-security-policy': consolePolicy(storage, siteKey),
      'x-content-type-options': 'nosniff',
      'referrer-policy': REFERRER_POLICY,
    };
    return { statusCode: 200, headers, body, isBase64Encoded: true };
  };
}
