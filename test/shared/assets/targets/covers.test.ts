import { expect, test } from 'vitest';
import { isInScope, isReportable } from '#shared/assets/targets/covers.ts';
import type { ScanTarget } from '#shared/assets/targets/scan-target.ts';

const target = (type: ScanTarget['type'], value: string): ScanTarget => ({ type, value, zone: null });
const site = {
  targets: [target('domain', 'example.com')],
  exclusions: [target('url', 'https://shop.example.com/admin')],
};

test.each([
  [target('host', 'shop.example.com'), true],
  [target('url', 'https://shop.example.com/'), true],
  [target('url', 'https://shop.example.com/cart'), true],
  [target('url', 'https://shop.example.com/admin'), false],
  [target('url', 'https://shop.example.com/admin/users'), false],
  [target('url', 'https://shop.example.com/%61dmin/users'), false],
  [target('url', 'https://shop.example.com//admin?tab=2'), false],
])('an excluded page takes itself and what is below it out of the scope, not the whole site: %o', (place, isIn) => {
  expect(isInScope(site, place)).toBe(isIn);
});

const zoned = (text: string): ScanTarget => {
  const [type = '', value = '', zone = null] = text.split(' ');
  return { type: type as ScanTarget['type'], value, zone };
};

test.each([
  ['host 10.0.0.5', 'host 10.0.0.5', true],
  ['host 10.0.0.5', 'host 10.0.0.5 lab', false],
  ['host 10.0.0.5 lab', 'host 10.0.0.5', false],
  ['cidr 10.0.0.0/24 lab', 'host 10.0.0.5 lab', true],
  ['cidr 10.0.0.0/24 lab', 'host 10.0.0.5 office', false],
  ['domain example.com', 'host a.example.com lab', false],
])('what was agreed for %s says of %s, which may be another host with the same address: %s', (agreed, place, isIn) => {
  const area = { targets: [zoned(agreed)], exclusions: [] };
  expect([isInScope(area, zoned(place)), isReportable(area, zoned(place))]).toEqual([isIn, isIn]);
});

test.each([
  ['host 10.0.0.5', 'host 10.0.0.5 lab', false],
  ['host 10.0.0.5 lab', 'host 10.0.0.5 lab', false],
  ['host 10.0.0.5 office', 'host 10.0.0.5 lab', true],
])('what is excluded as %s keeps %s out wherever it might be meant: %s', (excluded, place, isIn) => {
  const area = { targets: [zoned('cidr 10.0.0.0/24 lab')], exclusions: [zoned(excluded)] };
  expect([isInScope(area, zoned(place)), isReportable(area, zoned(place))]).toEqual([isIn, isIn]);
});

test('an agreed page is no permission for its site, on which its findings may lie', () => {
  const area = { targets: [target('url', 'https://shop.example.com/cart')], exclusions: [] };
  for (const place of [target('host', 'shop.example.com'), target('url', 'https://shop.example.com/')])
    expect([isInScope(area, place), isReportable(area, place)]).toEqual([false, true]);
});

test('a repository that is excluded stays out however it is fetched', () => {
  const area = {
    targets: [
      target('repository', 'https://git.example/shop/api'),
      target('repository', 'https://git.example/shop/web'),
    ],
    exclusions: [target('repository', 'git@git.example:shop/api.git')],
  };
  expect(isInScope(area, target('repository', 'https://git.example/shop/api'))).toBe(false);
  expect(isInScope(area, target('repository', 'ssh://git@git.example/shop/web.git'))).toBe(true);
});
