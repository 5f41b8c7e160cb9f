import { Agent, type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { hostnameOf } from '../runtime/addresses.ts';
import type { Network } from '../runtime/network.ts';
import { addressesOf, assertPublic } from './addresses.ts';

type Call = { method: string; headers: Record<string, string>; body?: string | undefined; signal: AbortSignal };
export type Answer = { status: number; headers: Headers; body: IncomingMessage };

/** An unused connection is closed after this time: a function that was suspended finds no dead connection. */
const IDLE_MS = 4000;

type Agents = { 'http:': Agent; 'https:': Agent };
const kept = new WeakMap<Network, Agents>();

/**
 * Sends one request and follows no redirection. The address of the host is resolved once, checked, and connected to.
 * @throws HostError for a host that may not be called, and any error of the connection
 */
export const call = (network: Network, url: URL, { body, ...options }: Call): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const agent = agentsOf(network)[url.protocol === 'https:' ? 'https:' : 'http:'];
    const port = url.port || (url.protocol === 'https:' ? 443 : 80);
    const headers = { ...options.headers, host: url.host, ...(body && { 'content-length': Buffer.byteLength(body) }) };
    const path = `${url.pathname}${url.search}`;
    request({ ...options, headers, agent, host: hostnameOf(url), port, path })
      .on('error', reject)
      .on('response', (message) => resolve(answerOf(message)))
      .end(body);
  });

function answerOf(message: IncomingMessage): Answer {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(message.headersDistinct))
    for (const value of values) headers.append(name, value);
  return { status: message.statusCode ?? 0, headers, body: message };
}

function agentsOf(network: Network): Agents {
  const current = kept.get(network);
  if (current) return current;
  const agents = { 'http:': agentFor(network, false), 'https:': agentFor(network, true) };
  kept.set(network, agents);
  return agents;
}

type Connected = (error: Error | null, socket?: Duplex) => void;

function agentFor(network: Network, isTls: boolean): Agent {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  const createConnection = ({ host, port }: { host: string; port: number }, connected: Connected) =>
    void connect(network, new URL(`${isTls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`))
      .then((socket) => connected(null, socket))
      .catch(connected);
  return Object.assign(agent, { createConnection });
}

async function connect(network: Network, url: URL): Promise<Duplex> {
  const isTls = url.protocol === 'https:';
  const addresses = await (network.allowsPrivate ? addressesOf : assertPublic)(url, network.resolve);
  return network.connect({ name: hostnameOf(url), port: Number(url.port) || (isTls ? 443 : 80), isTls, addresses });
}
