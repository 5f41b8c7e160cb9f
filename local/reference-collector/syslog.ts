import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

type Listener = { close: () => Promise<void> };

type Listening = { port: number; gatherSeconds: number };

const MAX_LINES = 5_000;

/** Listens for syslog by UDP (RFC 5426) and by TCP with a line each (RFC 6587, section 3.4.2), only on the loopback. */
export async function listen(
  { port, gatherSeconds }: Listening,
  keep: (lines: string[]) => Promise<void>,
): Promise<Listener> {
  let lines: string[] = [];
  let kept = Promise.resolve();
  const flush = () => {
    const some = lines;
    lines = [];
    if (some.length > 0)
      kept = kept.then(() => keep(some)).catch((error) => console.error('lines were not kept', error));
    return kept;
  };
  const add = (line: string) => {
    lines.push(line);
    if (lines.length >= MAX_LINES) void flush();
  };
  const timer = setInterval(flush, gatherSeconds * 1000);
  const udp = createSocket('udp4', (message) => message.toString('utf8').split('\n').filter(Boolean).forEach(add));
  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    createInterface({ input: socket }).on('line', add);
  });
  await Promise.all([once(udp.bind(port, '127.0.0.1'), 'listening'), once(tcp.listen(port, '127.0.0.1'), 'listening')]);
  return {
    async close() {
      clearInterval(timer);
      udp.close();
      for (const socket of sockets) socket.destroy();
      tcp.close();
      await flush();
    },
  };
}
