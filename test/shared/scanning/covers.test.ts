import { expect, test } from 'vitest';
import type { ScanTarget } from '#shared/entities/scan-target.ts';
import { isInScope } from '#shared/scanning/covers.ts';

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
])('an excluded page takes itself and what is below it out of the scope, not the whole site: %o', (place, isIn) => {
  expect(isInScope(site, place)).toBe(isIn);
});
