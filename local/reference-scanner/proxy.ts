import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Reach } from './reach.ts';

type GuardedProxy = { url: string; stop(): Promise<void> };

/**
 * An HTTP proxy (RFC 9110, section 9.3.6, and requests in absolute form) through which a web tool connects. The proxy
 * resolves and checks each host at the moment of the connection, so that neither a redirect nor a changed DNS answer
 * leads a tool outside its task. Its address contains a password: other users of this machine cannot use it.
 */
export async function startProxy(reach: Reach): Promise<GuardedProxy> {
  const password = randomBytes(16).toString('hex');
  const expected = `Basic ${Buffer.from(`task:${password}`).toString('base64')}`;
  const isMine = ({ headers }: IncomingMessage) => headers['proxy-authorization'] === expected;
  const open = new Set<Duplex>();
  const server = createServer((incoming, outgoing) => {
    if (isMine(incoming)) void forward(reach, incoming, outgoing);
    else outgoing.writeHead(407, { 'proxy-authenticate': 'Basic' }).end();
  });
  server.on('connect', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    open.add(client.on('error', () => client.destroy()));
    client.once('close', () => open.delete(client));
    if (isMine(incoming)) void tunnel(reach, { to: incoming.url ?? '', client, head });
    else client.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://task:${password}@127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      for (const client of open) client.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '');

async function forward(reach: Reach, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const refuse = () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end());
  try {
    const url = new URL(incoming.url ?? '');
    const [host] = await reach(withoutBrackets(url.hostname));
    const { 'proxy-authorization': _secret, 'proxy-connection': _hop, ...headers } = incoming.headers;
    const path = `${url.pathname}${url.search}`;
    const onward = request({ host, port: url.port || 80, method: incoming.method, path, headers, setHost: false });
    onward.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', refuse).pipe(outgoing);
    });
    outgoing.once('close', () => onward.destroy());
    incoming.pipe(onward.on('error', refuse));
  } catch {
    refuse();
  }
}

type Tunnel = { to: string; client: Duplex; head: Buffer };

async function tunnel(reach: Reach, { to, client, head }: Tunnel): Promise<void> {
  const refuse = () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  try {
    const { hostname, port } = new URL(`https://${to}`);
    const [host = ''] = await reach(withoutBrackets(hostname));
    const onward: Socket = connect(Number(port || 443), host);
    onward.once('connect', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.write(head);
      onward.pipe(client).pipe(onward);
      onward.on('error', () => client.destroy());
    });
    onward.once('error', refuse);
    client.once('close', () => onward.destroy());
  } catch {
    refuse();
  }
}
