import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { github } from '#shared/code/code-hosts/github/api.ts';
import { postTo } from '#shared/events/call-endpoint.ts';
import { askHost, type HostAddress } from '#shared/platform/outgoing/ask.ts';
import { path } from '#shared/platform/outgoing/path.ts';
import { elapsedMs } from '#shared/platform/runtime/clock.ts';
import { type Network, openNetwork } from '#shared/platform/runtime/network.ts';
import { startServer } from '../../../support/code-hosts/server.ts';
import { PUBLIC_ADDRESS, publicNetwork, reachIn } from '../../../support/network.ts';

const server = await startServer(() => ({ body: { login: 'builder' } }));
const port = new URL(server.url).port;
afterAll(() => server.stop());
beforeEach(() => void server.asked.splice(0));

const TOKEN = 'a-token-of-an-organization';
const hostAt = (api: string, network: Network = publicNetwork()): HostAddress => ({
  ...reachIn(network),
  api: `${api}/`,
  headers: { authorization: `Bearer ${TOKEN}` },
});
const codeOf = (asking: Promise<unknown>) =>
  asking.then(
    () => 'asked',
    (error) => error.code,
  );

describe('with the settings of the stack', () => {
  test.each(['1.1.1.1', '140.82.121.3', '[2606:4700::1111]', '[::ffff:140.82.121.3]', '[64:ff9b::8c52:7903]'])(
    'the public address %s is asked',
    async (host) => {
      expect(await codeOf(askHost(hostAt(`https://${host}:${port}`), { path: 'user' }))).toBe('asked');
    },
  );

  test.each([
    ...['127.0.0.1', '0.0.0.0', '10.0.0.1', '100.64.0.1', '169.254.169.254', '172.16.0.1', '192.168.0.1', '198.18.0.1'],
    ...['168.63.129.16', '192.0.0.1', '192.88.99.1', '192.0.2.1', '203.0.113.1', '224.0.0.1', '255.255.255.255'],
    ...['[::]', '[::1]', '[::ffff:10.0.0.1]', '[::ffff:0:a9fe:a9fe]', '[::a9fe:a9fe]', '[64:ff9b::a9fe:a9fe]'],
    ...['[64:ff9b:1::1]', '[100::1]', '[2001:0:a9fe:a9fe::1]', '[2001:2::1]', '[2001:db8::1]', '[2002:a9fe:a9fe::1]'],
    ...['[3fff::1]', '[5f00::1]', '[fc00::1]', '[fd00:ec2::254]', '[fe80::1]', '[fec0::1]', '[ff02::1]'],
  ])('the address %s of another network is not', async (host) => {
    const network = publicNetwork();
    expect(await codeOf(askHost(hostAt(`https://${host}:${port}`, network), { path: 'user' }))).toBe('unreachable');
    expect(network.connected).toEqual([]);
  });

  test('a host without TLS is not asked', async () => {
    expect(await codeOf(askHost(hostAt(`http://${PUBLIC_ADDRESS}:${port}`), { path: 'user' }))).toBe('unreachable');
  });

  test('a name is refused where one of its addresses is private, or it has none', async () => {
    const network = publicNetwork({ 'two.example': [PUBLIC_ADDRESS, '10.0.0.7'], 'none.example': [] });
    for (const name of ['two.example', 'none.example', 'localhost'])
      expect(await codeOf(askHost(hostAt(`https://${name}:${port}`, network), { path: 'user' }))).toBe('unreachable');
    expect(network.connected).toEqual([]);
  });

  test('the connection goes to the address that was checked, whatever the name has a moment later', async () => {
    const network = publicNetwork();
    const answers = [PUBLIC_ADDRESS, '169.254.169.254'];
    network.resolve = async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }];
    await askHost(hostAt(`https://rebinding.example:${port}`, network), { path: 'user' });
    expect(network.connected).toMatchObject([
      { name: 'rebinding.example', isTls: true, addresses: [{ address: PUBLIC_ADDRESS }] },
    ]);
    expect(answers).toHaveLength(1);
  });

  test('an event is posted to a public address alone, also where its name leads elsewhere a moment later', async () => {
    const network = publicNetwork({ 'inner.example': ['169.254.169.254'] });
    const post = (host: string) => postTo({ network, url: `https://${host}:${port}/hook`, body: '{}' });
    for (const host of ['10.0.0.1', '169.254.169.254', '[fd00:ec2::254]', 'inner.example', 'localhost'])
      expect(await post(host)).toMatchObject({ status: null, error: expect.any(String), isGone: false });
    expect(await postTo({ network, url: `http://${PUBLIC_ADDRESS}:${port}/`, body: '{}' })).toMatchObject({
      status: null,
    });
    expect([network.connected, server.asked]).toEqual([[], []]);
    const answers = [PUBLIC_ADDRESS, '169.254.169.254'];
    network.resolve = async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }];
    expect(await post('rebinding.example')).toMatchObject({ status: 200, error: null });
    expect(network.connected).toMatchObject([{ addresses: [{ address: PUBLIC_ADDRESS }] }]);
  });

  test('a code host gets its requests', async () => {
    const api = await github(
      { ...reachIn(publicNetwork()), account: 'x', baseUrl: `https://hub.example:${port}` },
      { token: TOKEN },
    );
    expect(await api.whoAmI()).toMatchObject({ identity: 'builder' });
    expect(server.asked).toMatchObject([{ path: '/api/v3/user', headers: { host: `hub.example:${port}` } }]);
  });
});

test('the certificate of a host must be of its name, and is not asked for again by an address', async () => {
  const names: string[] = [];
  const tls = createServer({
    SNICallback: (name, answer) => {
      names.push(name);
      answer(null, undefined);
    },
  }).on('tlsClientError', () => undefined);
  tls.listen(0, '127.0.0.1');
  await once(tls, 'listening');
  const network = {
    ...openNetwork({ CODE_HOSTS_PRIVATE: '1' }),
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  };
  const host = hostAt(`https://hub.example:${(tls.address() as AddressInfo).port}`, network);
  expect(await codeOf(askHost(host, { path: 'user' }))).toBe('unreachable');
  expect(names).toEqual(['hub.example']);
  tls.close();
});

describe('the token stays with its host', () => {
  const host = () => hostAt(`https://hub.example:${port}`);

  test.each([
    ['in the form of a path of another host', '//other.example/x'],
    ['of another host', 'https://other.example//third.example/x?page=2'],
  ])('where the next page is %s', async (_, link) => {
    server.fail({ headers: { link: `<${link}>; rel="next"` }, body: [] });
    const network = publicNetwork();
    const asked = hostAt(`https://hub.example:${port}`, network);
    const { next = '' } = await askHost(asked, { path: 'user' });
    await askHost(asked, { path: next });
    expect(new Set(network.connected.map(({ name }) => name))).toEqual(new Set(['hub.example']));
    expect(server.asked.at(-1)?.headers.host).toBe(`hub.example:${port}`);
  });

  test('where it leads to another host, port or protocol', async () => {
    for (const location of [
      `https://other.example:${port}/x`,
      'https://hub.example/x',
      `http://hub.example:${port}/x`,
    ]) {
      server.fail({ status: 302, headers: { location } });
      expect(await codeOf(askHost(host(), { path: 'user' }))).toBe('unexpected_answer');
    }
    expect(server.asked).toHaveLength(3);
  });

  test('where it leads on without an end', async () => {
    server.fail(...Array.from({ length: 4 }, () => ({ status: 302, headers: { location: '/user' } })));
    expect(await codeOf(askHost(host(), { path: 'user' }))).toBe('unexpected_answer');
  });

  test.each(['../admin', 'x/../../admin', '%2e%2e/%2e%2e/admin'])('where a path is %s', async (asked) => {
    const own = hostAt(`https://hub.example:${port}/api`);
    expect(await codeOf(askHost(own, { path: asked }))).toBe('unexpected_answer');
    expect(server.asked).toEqual([]);
  });

  test('where a host names an invalid part of a path', () => {
    expect(path`repos/${'a/b?c#d'}/x`).toBe('repos/a%2Fb%3Fc%23d/x');
    expect(() => path`repos/${'..'}/x`).toThrow('an invalid part of a path');
  });

  test('where the host repeats it in a refusal', async () => {
    server.fail({ status: 401, body: { message: `bad header authorization: Bearer ${TOKEN}` } });
    await expect(askHost(host(), { path: 'user' })).rejects.toThrow(/bad header authorization: Bearer …/);
  });

  test('where it cannot be sent: an error names a code alone', async () => {
    const broken = { ...host(), headers: { authorization: `Bearer ${TOKEN}\nx` } };
    await expect(askHost(broken, { path: 'user' })).rejects.toThrow(/^It does not answer \(ERR_INVALID_CHAR\)\.$/);
  });
});

describe('a host costs no more than its answer is worth', () => {
  test('a page that is longer than 8 MB is refused', async () => {
    server.fail({ body: 'x'.repeat(8_000_001) });
    expect(await codeOf(askHost(hostAt(`https://hub.example:${port}`), { path: 'user' }))).toBe('unexpected_answer');
  });

  test('a host that does not answer is left when the time for the work is over', async () => {
    const slow = await startServer(() => new Promise(() => undefined));
    const host = { ...hostAt(`https://hub.example:${new URL(slow.url).port}`), untilMs: elapsedMs() + 200 };
    expect(await codeOf(askHost(host, { path: 'user' }))).toBe('unreachable');
    await expect(askHost(host, { path: 'user' })).rejects.toThrow('Its answers take too long.');
    await slow.stop();
  });
});
