import { afterAll, afterEach, expect, test } from 'vitest';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { startWorld } from '../imports/world.ts';
import { recognising } from './recognising.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());
const { see, named, suggested } = recognising(world);

const mac = (n: number): string => `0a:1b:2c:00:00:${n.toString(16).padStart(2, '0')}`;
/** A device whose product knows no host name. */
const machine = (n: number, more: object) => ({
  type: 'edr_device',
  value: `device-${n}`,
  identifiers: { macs: [mac(n)], ...more },
});
const several = (count: number, of: (n: number) => ReturnType<typeof machine>) =>
  Array.from({ length: count }, (_, n) => of(n));

/** One report, and one report each: what stands already must not draw others in, one after the other. */
const WAYS = ['together', 'one after the other'] as const;

const STAYING = [
  ['two machines that got one address from DHCP', several(2, (n) => machine(n, { ips: ['10.0.0.7'] })), []],
  [
    'three machines behind the name of a load balancer',
    several(3, (n) => machine(n, { fqdns: ['www.example.com'] })),
    [],
  ],
  ['machines without a serial number', several(3, (n) => machine(n, { serialNumber: 'To be filled by O.E.M.' })), []],
  [
    'two clones, of which a person is asked',
    several(2, (n) => machine(n, { serialNumber: 'VMware-56 4d 1a' })),
    [['open', 'serialNumber']],
  ],
  [
    'a crowd of clones, of which nobody is asked',
    several(6, (n) => machine(n, { serialNumber: 'VMware-56 4d 1a' })),
    [],
  ],
  [
    'a crowd with the machine id of its image',
    several(6, (n) => machine(n, { machineIds: ['0f1e2d3c4b5a69788796a5b4c3d2e1f0'] })),
    [],
  ],
] as const;

test.each(STAYING.flatMap(([who, hosts, asked]) => WAYS.map((way) => [who, way, hosts, asked] as const)))(
  '%s stay apart when they come %s',
  async (_who, way, hosts, asked) => {
    const table = world.newOrganization();
    for (const some of way === 'together' ? [hosts] : hosts.map((host) => [host])) await see(table, some);
    expect(await named(table)).toEqual(hosts.map(({ value }) => [value, null]));
    expect(await suggested(table)).toEqual(asked);
  },
);

test('a load balancer that is known by its name alone takes no machine behind it in', async () => {
  const table = world.newOrganization();
  await see(table, [{ value: 'www.example.com', identifiers: { ips: ['192.0.2.7', '192.0.2.8'] } }]);
  await see(table, [machine(1, { ips: ['192.0.2.7'] }), machine(2, { ips: ['192.0.2.8'] })]);
  await see(table, [machine(1, { fqdns: ['www.example.com'] }), machine(2, { fqdns: ['www.example.com'] })]);
  expect(await named(table)).toEqual([
    ['device-1', null],
    ['device-2', null],
    ['www.example.com', null],
  ]);
  expect(await suggested(table)).toEqual([
    ['open', 'fqdn'],
    ['open', 'fqdn'],
  ]);
});

test('the same private address in two zones is two machines', async () => {
  const table = world.newOrganization();
  for (const zone of ['office', 'plant'])
    await see(table, [{ value: '10.0.0.7', identifiers: { hostnames: ['printer'] } }], zone);
  expect(await named(table)).toEqual([
    ['10.0.0.7', 'office'],
    ['10.0.0.7', 'plant'],
  ]);
  expect(await suggested(table)).toEqual([]);
});

test('a laptop that two tools see by two network cards is one machine by its serial number and name', async () => {
  const table = world.newOrganization();
  const known = { serialNumber: '5CG8431XYZ', hostnames: ['laptop-7'] };
  await see(
    table,
    several(2, (n) => machine(n, known)),
  );
  expect(await named(table)).toEqual([['device-0', null, 'device-1']]);
});
