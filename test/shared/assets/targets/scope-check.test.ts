import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coversExactly, isInScope } from '#shared/assets/targets/covers.ts';
import type { ScanTarget, TargetType } from '#shared/assets/targets/scan-target.ts';
import { scopeCheck } from '#shared/assets/targets/scope-check.ts';

const place = (text: string): ScanTarget => {
  const [type = '', value = '', zone = null] = text.split(' ');
  return { type: type as TargetType, value, zone };
};
const scope = (targets: string[], exclusions: string[] = []) => ({
  targets: targets.map(place),
  exclusions: exclusions.map(place),
});

describe('nothing outside the scope is answered, nor anything inside an exclusion', () => {
  test.each([
    [['cidr 10.0.0.0/24'], [], 'host 10.0.0.7', true],
    [['cidr 10.0.0.0/24'], [], 'host 10.0.1.7', false],
    [['cidr 10.0.0.0/24'], [], 'host 10.0.0.7 lab', false],
    [['cidr 10.0.0.0/24 lab'], [], 'host 10.0.0.7', false],
    [['cidr 10.0.0.0/24 lab'], ['host 10.0.0.7'], 'host 10.0.0.7 lab', false],
    [['cidr 10.0.0.0/24'], ['host 10.0.0.7 lab'], 'host 10.0.0.7', true],
    [['cidr 10.0.0.0/24'], ['cidr 10.0.0.0/29'], 'host 10.0.0.7', false],
    [['cidr 10.0.0.0/24'], [], 'url https://10.0.0.7/x', true],
    [['cidr 2001:db8::/32'], ['cidr 2001:db8:1::/48'], 'host 2001:db8:1::5', false],
    [['host shop.example.com'], [], 'host SHOP.example.com.', true],
    [['host shop.example.com'], [], 'host api.shop.example.com', false],
    [['host example.com'], [], 'domain example.com', false],
    [['domain example.com'], ['host example.com'], 'domain example.com', false],
    [['host shop.example.com'], [], 'url https://shop.example.com/cart', true],
    [['domain example.com'], [], 'host api.example.com', true],
    [['domain example.com'], [], 'host badexample.com', false],
    [['domain example.com'], ['domain admin.example.com'], 'host x.admin.example.com', false],
    [['domain example.com'], ['url https://shop.example.com/admin'], 'host shop.example.com', true],
    [['domain example.com'], ['url https://shop.example.com/admin'], 'url https://shop.example.com/admin/x', false],
    [['domain example.com'], ['url https://shop.example.com/admin'], 'url https://shop.example.com/%61dmin', false],
    [['domain example.com'], ['url https://shop.example.com/admin'], 'url https://shop.example.com/x/../admin', false],
    [['domain example.com'], ['url https://shop.example.com/admin'], 'url https://shop.example.com/administer', true],
    [['url https://shop.example.com/app'], [], 'url https://shop.example.com/app/login', true],
    [['url https://shop.example.com/app'], [], 'url https://shop.example.com/', false],
    [['url https://shop.example.com/app'], [], 'host shop.example.com', false],
    [['repository https://github.com/acme/shop'], [], 'repository git@github.com:Acme/shop.git', true],
    [
      ['repository github.com/acme/shop'],
      ['repository https://github.com/acme/shop.git/'],
      'repository github.com/acme/shop',
      false,
    ],
    [['repository github.com/acme/shop'], [], 'repository github.com/acme/shop-api', false],
    [['application shop'], [], 'host shop', false],
  ] as const)('%j without %j: %s is in scope: %s', (targets, exclusions, asked, answer) => {
    expect(scopeCheck(scope([...targets], [...exclusions])).isInScope(place(asked))).toBe(answer);
  });

  test('an address is in the engagement scope exactly if it is in the target range and not in the excluded range', () => {
    const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255));
    const range = fc.record({ octets, prefix: fc.integer({ min: 8, max: 32 }) });
    const number = ([b, c, d]: [number, number, number]) => (10 * 2 ** 24 + b * 2 ** 16 + c * 256 + d) >>> 0;
    const has = (one: { octets: [number, number, number]; prefix: number }, address: number) =>
      Math.floor(number(one.octets) / 2 ** (32 - one.prefix)) === Math.floor(address / 2 ** (32 - one.prefix));
    fc.assert(
      fc.property(range, range, octets, (target, excluded, at) => {
        const text = ({ octets: [b, c, d], prefix }: typeof target) => `cidr 10.${b}.${c}.${d}/${prefix}`;
        const asked = place(`host 10.${at.join('.')}`);
        const expected = has(target, number(at)) && !has(excluded, number(at));
        expect(scopeCheck(scope([text(target)], [text(excluded)])).isInScope(asked)).toBe(expected);
      }),
    );
  });

  const spots = [
    'host 10.0.0.5',
    'host a.example.com',
    'host example.com',
    'cidr 10.0.0.0/29',
    'cidr 10.0.0.0/8',
    'domain example.com',
    'domain a.example.com',
    'url https://a.example.com/x',
    'url https://a.example.com/x/y',
    'url https://10.0.0.5/',
    'repository github.com/acme/shop',
    'container_image a.example.com/app:1',
    'application shop',
  ].map(place);
  test.each(spots)(
    'an engagement scope that is read once gives the same result for %o as each target alone',
    (target) => {
      const { isExcluded } = scopeCheck({ targets: [], exclusions: [target] });
      for (const spot of spots.filter(({ type }) => type !== 'cidr'))
        expect([spot, isExcluded(spot)]).toEqual([spot, coversExactly(target, spot)]);
    },
  );

  test('a task is made for exactly what the intelligence calls in scope, in every zone', () => {
    const zones = [null, 'lab', 'office'];
    const spotIn = fc.record({ spot: fc.constantFrom(...spots), zone: fc.constantFrom(...zones) });
    const some = fc.array(
      spotIn.map(({ spot, zone }) => ({ ...spot, zone })),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(some, some, spotIn, (targets, exclusions, { spot, zone }) => {
        const asked = { ...spot, zone };
        expect(scopeCheck({ targets, exclusions }).isInScope(asked)).toBe(isInScope({ targets, exclusions }, asked));
      }),
    );
  });

  test('an exclusion holds whatever the targets are', () => {
    expect(scopeCheck(scope([], ['domain example.com'])).isExcluded(place('url https://a.example.com/'))).toBe(true);
  });
});
