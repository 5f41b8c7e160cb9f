import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublicCall, RawAnswer, Route } from '#shared/platform/http/route.ts';
import { unzipped } from '#shared/platform/runtime/gzip.ts';

/** The files that the build writes (infra/openapi/files.ts), each compressed as `<name>.gz`. */
export const REFERENCE_FILES = { document: 'openapi.json', page: 'index.html', script: 'scalar.js' } as const;

/** RFC 9110, section 12.5.3: upper and lower case mean the same, and a weight of 0 refuses. */
const takesGzip = (accepted = ''): boolean => /(^|,)\s*gzip\s*(;\s*q=(1|0\.\d*[1-9])[^,]*)?(,|$)/i.test(accepted);

type Served = { name: string; contentType: string; headers?: Record<string, string> };

/** Answers a prebuilt file, compressed for clients that accept gzip: uncompressed the script is 3.5 MB. */
export async function serveFile(
  { connections, request }: PublicCall<Route>,
  { name, contentType, headers }: Served,
): Promise<RawAnswer> {
  const zipped = await readFile(join(connections.settings.REFERENCE_DIR, `${name}.gz`));
  const shared = { 'cache-control': 'public, max-age=300', vary: 'accept-encoding', ...headers };
  if (!takesGzip(request.headers['accept-encoding']))
    return { contentType, body: await unzipped(zipped), headers: shared };
  const body = zipped.toString('base64');
  return { contentType, body, base64: true, headers: { ...shared, 'content-encoding': 'gzip' } };
}
