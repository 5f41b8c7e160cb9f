import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readTogether } from '#shared/platform/runtime/read-memory.ts';

const answers = Array.from({ length: 24 }, (_, n) => Buffer.alloc(n % 3 === 0 ? 300 : 90_000 * (1 + (n % 5)), 65 + n));

test('connections that read into the same memory give each answer its own bytes, also those that are read late', async () => {
  const server = createServer(({ url = '' }, response) => void response.end(answers[Number(url.slice(1))]));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 6, ...readTogether });
  const answerOf = async (n: number) => {
    const [response] = (await once(get({ port, agent, path: `/${n}` }), 'response')) as [IncomingMessage];
    await sleep(n % 4);
    return buffer(response);
  };
  for (let round = 0; round < 3; round++) {
    const read = await Promise.all(answers.map((_, n) => answerOf(n)));
    for (const [n, bytes] of read.entries()) expect(bytes.equals(answers[n] ?? Buffer.of())).toBe(true);
  }
  agent.destroy();
  server.close();
});
