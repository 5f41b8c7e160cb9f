import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { framesOf } from './frames.ts';

type Listener = { close: () => Promise<void> };

/** Files in PEM. With `ca`, senders show certificates that it signed. */
export type TlsListening = { port: number; host: string; cert: string; key: string; ca: string | undefined };

type Listening = { port: number | undefined; tls: TlsListening | undefined; gatherSeconds: number };

/** A batch of the service has 4 MB at most, packed; lines wait in memory until then. */
const MAX_LINES = 5_000;
const MAX_BYTES = 1024 * 1024;

const LOOPBACK = '127.0.0.1';

/**
 * Listens for syslog on the loopback by UDP (RFC 5426) and TCP (RFC 6587), and for other machines by TLS (RFC 5425).
 */
export async function listen(
  { port, tls, gatherSeconds }: Listening,
  keep: (lines: string[]) => Promise<void>,
): Promise<Listener> {
  const gathered = gather(keep);
  const timer = setInterval(gathered.flush, gatherSeconds * 1000);
  const sockets = new Set<Socket>();
  const accept = (socket: Socket) => {
    const frames = framesOf(gathered.add);
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    socket.on('data', frames.add).on('end', frames.end);
  };
  // RFC 5426: a datagram is one message
  const udp = createSocket('udp4', (message) => gathered.add(message.toString('utf8').trimEnd()));
  const servers: Server[] = [];
  const opened: Promise<unknown>[] = [];
  const open = (server: Server, at: { port: number; host: string }) => {
    servers.push(server);
    opened.push(once(server.listen(at), 'listening'));
  };
  if (port !== undefined) {
    opened.push(once(udp.bind(port, LOOPBACK), 'listening'));
    open(createServer(accept), { port, host: LOOPBACK });
  }
  if (tls) open(createTlsServer(tlsOptions(tls), accept), tls);
  await Promise.all(opened);
  return {
    async close() {
      clearInterval(timer);
      if (port !== undefined) udp.close();
      for (const socket of sockets) socket.destroy();
      for (const server of servers) server.close();
      await gathered.flush();
    },
  };
}

const tlsOptions = ({ cert, key, ca }: TlsListening) => ({
  cert: readFileSync(cert),
  key: readFileSync(key),
  minVersion: 'TLSv1.2' as const,
  ...(ca !== undefined && { ca: readFileSync(ca), requestCert: true, rejectUnauthorized: true }),
});

/** Lines that wait for others, so many and so long at most. */
function gather(keep: (lines: string[]) => Promise<void>) {
  let lines: string[] = [];
  let bytes = 0;
  let kept = Promise.resolve();
  const flush = () => {
    const some = lines;
    [lines, bytes] = [[], 0];
    if (some.length > 0)
      kept = kept.then(() => keep(some)).catch((error) => console.error('lines were not kept', error));
    return kept;
  };
  const add = (message: string) => {
    if (message === '') return;
    // a batch has a line for each event: a break within a message is written as rsyslog does
    const line = message.replaceAll(/\r?\n/g, '#012');
    lines.push(line);
    bytes += Buffer.byteLength(line);
    if (lines.length >= MAX_LINES || bytes >= MAX_BYTES) void flush();
  };
  return { add, flush };
}
