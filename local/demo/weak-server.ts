import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const page = Buffer.from('<!doctype html><title>Demo</title><p>A small web server to scan.</p>\n');
const manyRanges = 5;

/**
 * A web server on the loopback that answers a request for many overlapping ranges in full, as Apache did before 2.2.20
 * (CVE-2011-3192), until it is mended. The scanner of the demo really scans this server.
 */
export async function startWeakServer(): Promise<{ port: number; mend(): void; stop(): Promise<void> }> {
  let mended = false;
  const server = createServer((request, response) => {
    const { range } = request.headers;
    const partial = range !== undefined && (!mended || range.split(',').length <= manyRanges);
    response.writeHead(partial ? 206 : 200, {
      Server: mended ? 'Apache/2.2.20 (Unix)' : 'Apache/2.2.19 (Unix)',
      'Content-Type': 'text/html',
      'Content-Length': page.length,
    });
    response.end(request.method === 'HEAD' ? undefined : page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    mend() {
      mended = true;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
