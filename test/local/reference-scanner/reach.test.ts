import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startProxy } from '#local/reference-scanner/proxy.ts';
import { reachOf } from '#local/reference-scanner/reach.ts';
import { blockText, contains, parseBlock } from '#shared/platform/runtime/addresses.ts';
import { eventsOf } from '../../shared/reports/readers/reading.ts';
import {
  give,
  leaveTrace,
  printArguments,
  reportIn,
  resultOf,
  script,
  task,
  traceOfTool,
  withScanner,
} from './bench.ts';

withScanner();

const web = (code: string) =>
  script(code, { taskType: 'network', arguments: ['--eval', code, '--', '{target}', '{proxy}'], parameters: {} });

describe('a task on a name', () => {
  test('hands its tool an address that was checked, of IPv4 first', async () => {
    const exclusions = [{ type: 'cidr', value: '192.0.2.0/29' }];
    give(script(printArguments), task('t1', 'shop.example.com'), { ...task('t2', 'shop.example.com'), exclusions });
    expect(reportIn(await resultOf('t1'))).toBe('["192.0.2.7","1"]');
    expect(reportIn(await resultOf('t2'))).toBe('["192.0.2.8","1"]');
  });

  test.each([
    [
      'leads to excluded addresses alone',
      'shop.example.com',
      {
        exclusions: [
          ['cidr', '192.0.2.0/24'],
          ['cidr', '2001:db8::/32'],
        ],
      },
    ],
    ['leads to the address of an excluded name', 'db.example.com', { exclusions: [['host', 'db.example.com']] }],
    ['leads to the metadata of the cloud, from a shared pool', 'inside.example.com', { publicOnly: true }],
    ['leads to the scanner itself, from a shared pool', 'local.example.com', { publicOnly: true }],
    ['does not exist', 'nowhere.example.com', {}],
    ['is several addresses to Nmap', '127.0.0.1-2', {}],
    ['is a private address, from a shared pool', '10.0.0.7', { publicOnly: true }],
  ])('that %s starts no tool', async (_, value, rules: { exclusions?: string[][]; publicOnly?: boolean }) => {
    const exclusions = (rules.exclusions ?? []).map(([type, place]) => ({ type, value: place }));
    give(script(leaveTrace('1')), { ...task('t1', value), ...rules, exclusions });
    expect(await resultOf('t1')).toMatchObject({ outcome: 'failed', error: { code: 'out_of_reach' } });
    expect(traceOfTool()).toBe('');
  });

  test('or a range is handed as it is, unless an address of it is excluded', async () => {
    const range = { type: 'cidr', value: '192.0.2.0/28' };
    const [one, other] = [
      { type: 'host', value: '192.0.2.16' },
      { type: 'host', value: '192.0.2.15' },
    ];
    give(
      script(printArguments),
      { ...task('t1'), target: range, exclusions: [one] },
      { ...task('t2'), target: range, exclusions: [other] },
    );
    expect(reportIn(await resultOf('t1'))).toBe('["192.0.2.0/28","1"]');
    expect(await resultOf('t2')).toMatchObject({ outcome: 'failed', error: { code: 'out_of_reach' } });
  });

  test('keeps its findings on the name, though Nmap was asked for the address', async () => {
    const host =
      '<host><status state="up"/><address addr="192.0.2.7" addrtype="ipv4"/><hostnames>\n</hostnames></host>';
    const xml = `<nmaprun scanner="nmap">${host}<runstats><finished exit="success"/></runstats></nmaprun>`;
    give(script(`process.stdout.write(${JSON.stringify(xml)})`, { format: 'nmap' }), task('t1', 'shop.example.com'));
    const events = await eventsOf('nmap', reportIn(await resultOf('t1')));
    const covered = events.find(({ kind }) => kind === 'covered');
    expect(covered).toMatchObject({ target: { type: 'host', value: 'shop.example.com' }, aliases: ['192.0.2.7'] });
  });

  test('hands a web tool the name with a proxy, and one without a proxy the address in its URL', async () => {
    const url = { type: 'url', value: 'https://shop.example.com:8443/cart' };
    give(web(printArguments), { ...task('t1'), target: url });
    const [named, proxy] = JSON.parse(reportIn(await resultOf('t1')));
    expect(named).toBe(url.value);
    expect(proxy).toMatch(/^http:\/\/task:[0-9a-f]{32}@127\.0\.0\.1:\d+$/);
  });
});

test('no answer of DNS and no spelling makes a tool touch an excluded address, or a pool a private one', async () => {
  const address = fc.nat(255).map((last) => `192.0.2.${last}`);
  const range = fc.tuple(address, fc.integer({ min: 24, max: 32 })).map((pair) => pair.join('/'));
  const inside = fc.constantFrom('10.0.0.1', '::1', '169.254.169.254', 'fd00:ec2::254', '::ffff:127.0.0.1');
  const answers = fc.array(fc.oneof(address, inside), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(answers, fc.array(range, { maxLength: 4 }), async (found, excluded) => {
      const exclusions = excluded.map((value) => ({ type: 'cidr', value }));
      const reach = await reachOf({ exclusions, publicOnly: true }, async () => found);
      const handed = await reach('a.example.com').catch(() => []);
      const holes = excluded.flatMap((text) => parseBlock(text) ?? []);
      const isHeld = (text: string) => holes.some((hole) => contains(hole, parseBlock(text) ?? hole));
      const wanted = found.filter((text) => text.startsWith('192.0.2.') && !isHeld(text));
      expect(handed.toSorted()).toEqual(wanted.map((text) => blockText(parseBlock(text) ?? fail(text))).toSorted());
    }),
  );
});

function fail(text: string): never {
  throw new Error(text);
}

describe('the proxy of a web tool', () => {
  async function open() {
    const answers: Record<string, string[]> = { 'shop.example.com': ['127.0.0.1'], 'db.example.com': ['127.0.0.2'] };
    const rules = { exclusions: [{ type: 'host', value: '127.0.0.2' }], publicOnly: false };
    const proxy = await startProxy(await reachOf(rules, async (name) => answers[name] ?? []));
    const site = createServer(({ headers, url }, answer) => answer.end(`${headers.host} ${url}`)).listen(
      0,
      '127.0.0.1',
    );
    await once(site, 'listening');
    onTestFinished(async () => {
      await proxy.stop();
      site.closeAllConnections();
      site.close();
    });
    return { url: new URL(proxy.url), port: (site.address() as AddressInfo).port };
  }

  type Open = Awaited<ReturnType<typeof open>>;
  const secretOf = ({ url }: Open) => `Basic ${Buffer.from(`task:${url.password}`).toString('base64')}`;

  async function get(at: Open, target: string, secret = secretOf(at)) {
    const headers = { 'proxy-authorization': secret, host: new URL(target).host };
    const asked = request({ host: '127.0.0.1', port: at.url.port, path: target, headers }).end();
    const [answer] = await once(asked, 'response');
    return `${answer.statusCode} ${Buffer.concat(await answer.toArray())}`;
  }

  /** The answer through a tunnel, as tools use it for TLS. */
  async function through(at: Open, host: string) {
    const client = connect(Number(at.url.port), '127.0.0.1');
    client.write(`CONNECT ${host}:${at.port} HTTP/1.1\r\nProxy-Authorization: ${secretOf(at)}\r\n\r\n`);
    const [first] = await once(client, 'data');
    if (!String(first).includes(' 200 ')) return String(first).split('\r\n')[0];
    client.write(`GET /x HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    const chunks = await client.toArray();
    return Buffer.concat(chunks).toString().split('\r\n\r\n').at(-1) ?? '';
  }

  test('reaches the site by its name, and no excluded address by any name', async () => {
    const at = await open();
    expect(await get(at, `http://shop.example.com:${at.port}/a?b=c`)).toBe(`200 shop.example.com:${at.port} /a?b=c`);
    expect(await through(at, 'shop.example.com')).toBe('shop.example.com /x');
    for (const host of ['db.example.com', '127.0.0.2', 'nowhere.example.com']) {
      expect(await get(at, `http://${host}:${at.port}/`)).toBe('502 ');
      expect(await through(at, host)).toBe('HTTP/1.1 502 Bad Gateway');
    }
  });

  test('serves its tool alone, not every user of the machine', async () => {
    const at = await open();
    expect(await get(at, `http://shop.example.com:${at.port}/`, 'Basic eA==')).toBe('407 ');
  });
});
