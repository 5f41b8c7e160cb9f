import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { consoleDirectory, isConsoleBuilt } from '#infra/console.ts';

/** Answers the files and pages of the console; undefined: the path is none of them. */
export type Pages = (asked: {
  method: string;
  path: string;
  accept: string;
}) => APIGatewayProxyStructuredResultV2 | undefined;

/** The console loads nothing from other origins, runs no script of a text that it shows, and stands in no frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.xml': 'application/xml',
};

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
    return files.get(path) ?? (accept.includes('text/html') && !path.startsWith('/api/') ? page : undefined);
  };
}

/** Another process: this one does not keep the memory of the build. */
async function buildConsole(): Promise<void> {
  const script = new URL('../infra/build-console.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('The console could not be built; its messages are above.');
}

function fileAnswer(file: string): APIGatewayProxyStructuredResultV2 {
  const isHashed = file.includes('/static/');
  return {
    statusCode: 200,
    headers: {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
    body: readFileSync(file).toString('base64'),
    isBase64Encoded: true,
  };
}
