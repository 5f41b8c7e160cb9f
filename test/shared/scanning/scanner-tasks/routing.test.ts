import { describe, expect, test } from 'vitest';
import type { ScanTarget, TaskType } from '#shared/assets/targets/scan-target.ts';
import { checkRoute, routeTask } from '#shared/scanning/scanner-tasks/routing.ts';

type Group = Parameters<typeof routeTask>[0][number];
const group = (id: string, routing: string[], more: Partial<Group> = {}): Group => ({
  id,
  zone: null,
  taskTypes: [],
  routing,
  ...more,
});

const groups = [
  group('a-net', ['10.0.0.0/8']),
  group('b-office', ['10.1.0.0/16', '*.office.example.com']),
  group('c-host', ['10.1.2.3', 'www.office.example.com']),
  group('d-domain', ['*.example.com']),
  group('e-dmz', ['10.0.0.0/8', '192.0.2.0/24'], { zone: 'dmz' }),
  group('f-web', ['198.51.100.0/24'], { taskTypes: ['web'] }),
  group('g-same', ['10.1.0.0/16']),
  group('h-six', ['2001:db8::/32']),
];

const task = (value: string, { type = 'host', zone = null, does = 'network' }: Wanted = {}) => ({
  type: does,
  target: { type, value, zone },
});
type Wanted = { type?: ScanTarget['type']; zone?: string | null; does?: TaskType };

describe('the group that gets a task', () => {
  test.each<[string, ReturnType<typeof task>, string | undefined]>([
    ['serves the range that the address lies in', task('10.200.0.1'), 'a-net'],
    ['has the longest prefix, and is the older of two with the same', task('10.1.0.1'), 'b-office'],
    ['names the very address', task('10.1.2.3'), 'c-host'],
    ['serves a range only as a whole', task('10.1.0.0/16', { type: 'cidr' }), 'b-office'],
    ['is not one that serves a part of the range', task('10.0.0.0/7', { type: 'cidr' }), undefined],
    ['has the longest domain', task('mail.office.example.com'), 'b-office'],
    ['names the very host', task('www.office.example.com'), 'c-host'],
    ['serves the domain of a URL', task('https://shop.example.com/login', { type: 'url', does: 'web' }), 'd-domain'],
    ['serves the domain itself', task('example.com', { type: 'domain' }), 'd-domain'],
    ['is not one whose domain is another name ending alike', task('badexample.com'), undefined],
    ['is of the zone of the target', task('10.1.2.3', { zone: 'dmz' }), 'e-dmz'],
    ['is of no other zone', task('192.0.2.1'), undefined],
    ['does that type of task', task('198.51.100.1'), undefined],
    ['does that type of task', task('198.51.100.1', { does: 'web' }), 'f-web'],
    ['serves IPv6 as well', task('2001:db8::1'), 'h-six'],
    ['serves the address in a URL', task('http://10.1.2.3:8080/', { type: 'url', does: 'web' }), 'c-host'],
    ['is none for what has no place on a network', task('a/b', { type: 'repository', does: 'sast' }), undefined],
  ])('%s: %o -> %s', (_, planned, expected) => {
    expect(routeTask(groups, planned)).toBe(expected);
    expect(routeTask(groups.toReversed(), planned)).toBe(expected);
  });
});

test.each([
  ['10.1.2.3/8', '10.0.0.0/8'],
  ['WWW.Example.com.', 'www.example.com'],
  ['*.Example.com', '*.example.com'],
  ['10.0.0.1', '10.0.0.1'],
])('the route %s is kept as %s, as targets are, so that they meet', (route, value) => {
  expect(checkRoute(route)).toEqual({ value });
});

test.each(['10.0.0.0/99', 'a b', '*.*.example.com', 'http://x/', '', '*'])('%j is refused as a route', (route) => {
  expect(checkRoute(route)).toHaveProperty('problem');
});
