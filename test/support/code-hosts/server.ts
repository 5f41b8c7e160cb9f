import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isStack } from '../tier.ts';

export type Asked = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: each test names the fields that it looks for
  body: any;
};
export type Reply = { status?: number; headers?: Record<string, string>; body?: unknown };

export type CodeHostServer = {
  url: string;
  asked: Asked[];
  /** The next requests are answered so, before any other. */
  fail(...replies: Reply[]): void;
  /** Requests of this method whose paths end so are answered so, until others are named. */
  refuse(refused?: { method: string; end: RegExp; reply: Reply }): void;
  /** The next request of this method whose path ends so is worked, and its answer is lost. */
  lose(named: { method: string; end: RegExp }): void;
  stop(): Promise<void>;
};

/** A code host on the loopback. Its answers have validators, and lists come in pages with links, as both hosts have them. */
export async function startServer(answer: (asked: Asked) => Reply | Promise<Reply>): Promise<CodeHostServer> {
  const asked: Asked[] = [];
  const failures: Reply[] = [];
  let lost: { method: string; end: RegExp } | undefined;
  let refused: { method: string; end: RegExp; reply: Reply } | undefined;
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const url = new URL(request.url ?? '/', 'http://host');
    const { method = 'GET', headers } = request;
    const one = {
      method,
      path: url.pathname,
      query: url.searchParams,
      headers,
      body: text ? JSON.parse(text) : undefined,
    };
    asked.push(one);
    const isRefused = refused?.method === method && refused.end.test(url.pathname);
    const reply = failures.shift() ?? (isRefused ? refused?.reply : undefined) ?? (await answer(one));
    if (lost?.method === method && lost.end.test(url.pathname)) {
      lost = undefined;
      return void response.destroy();
    }
    const body = reply.body === undefined ? '' : JSON.stringify(reply.body);
    const etag = `"${createHash('sha1').update(body).digest('hex')}"`;
    const isSame = method === 'GET' && !reply.status && headers['if-none-match'] === etag;
    response.writeHead(isSame ? 304 : (reply.status ?? 200), {
      'content-type': 'application/json',
      etag,
      ...reply.headers,
    });
    response.end(isSame ? '' : body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: addressOf((server.address() as AddressInfo).port),
    asked,
    fail: (...replies) => void failures.push(...replies),
    refuse(named) {
      refused = named;
    },
    lose(named) {
      lost = named;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** With the settings of the stack hosts have public addresses and TLS (test/support/network.ts). */
const addressOf = (port: number): string =>
  isStack ? `https://host-${port}.example:${port}` : `http://127.0.0.1:${port}`;

/** A page of a list; a link leads to the one behind it. The name of the host in it is not the one that was asked, as behind a proxy. */
export function paged(
  { path, query }: Asked,
  all: readonly unknown[],
  most: number,
  wrap = (page: unknown[]): unknown => page,
) {
  const page = Number(query.get('page') ?? 1);
  const next = new URLSearchParams({ ...Object.fromEntries(query), page: String(page + 1) });
  const isLast = page * most >= all.length;
  const headers: Record<string, string> = isLast ? {} : { link: `<https://inner.example${path}?${next}>; rel="next"` };
  return { body: wrap(all.slice((page - 1) * most, page * most)), headers };
}
