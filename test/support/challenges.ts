import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Network } from '#shared/platform/runtime/network.ts';
import { PUBLIC_ADDRESS, publicNetwork } from './network.ts';

type Challenge = { parameters: unknown; signature: string | null };

/** The answer of ALTCHA's widget to a challenge. */
export async function solve({ parameters, signature }: Challenge): Promise<string> {
  const challenge = { parameters, signature } as Parameters<typeof solveChallenge>[0]['challenge'];
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

type Turnstile = { network: Network; asked: unknown[]; answer: (body: unknown, status?: number) => void };

/** Cloudflare's siteverify on the loopback, and the network in which it has Cloudflare's name. */
export async function startTurnstile(): Promise<Turnstile & { stop(): void }> {
  const asked: unknown[] = [];
  let reply = { status: 200, body: {} as unknown };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString('utf8');
    asked.push({ path: request.url, host: request.headers.host, body: JSON.parse(body) });
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const network = publicNetwork({ 'challenges.cloudflare.com': [PUBLIC_ADDRESS] });
  return {
    network: { ...network, connect: async () => connect(port, '127.0.0.1') },
    asked,
    answer(body, status = 200) {
      asked.length = 0;
      reply = { status, body };
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
