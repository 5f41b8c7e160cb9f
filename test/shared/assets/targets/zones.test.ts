import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placingOf } from '#shared/assets/targets/zones.ts';
import { contains, parseBlock } from '#shared/platform/runtime/addresses.ts';

const address = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(255)).map(([a, b, c]) => `10.${a}.${b}.${c}`);
const block = fc.tuple(address, fc.integer({ min: 6, max: 32 })).map(([first, prefix]) => `${first}/${prefix}`);

test('an address is in the zone with the longest matching prefix, in any order of zones', () => {
  const zones = fc.array(fc.array(block, { maxLength: 3 }), { maxLength: 5 });
  fc.assert(
    fc.property(zones, address, (all, place) => {
      const named = all.map((cidrs, n) => ({ name: `zone-${n}`, cidrs }));
      const of = (cidr: string) => parseBlock(cidr) ?? { version: 4 as const, first: 0n, prefix: 0 };
      const holding = named.flatMap(({ name, cidrs }) =>
        cidrs.flatMap((cidr) => (contains(of(cidr), of(place)) ? [{ name, prefix: of(cidr).prefix }] : [])),
      );
      const longest = Math.max(...holding.map(({ prefix }) => prefix));
      const fitting = holding.filter(({ prefix }) => prefix === longest).map(({ name }) => name);
      for (const zone of [placingOf(named)(place), placingOf(named.toReversed())(place)])
        expect(fitting.length === 0 ? zone === undefined : fitting.includes(zone ?? '')).toBe(true);
    }),
  );
});

test('the address in a URL is placed, and a name is not', () => {
  const place = placingOf([{ name: 'plant', cidrs: ['10.1.0.0/16', '2001:db8::/32'] }]);
  expect(
    [
      'https://10.1.2.3:8443/login',
      'http://[2001:db8::1]/',
      '2001:db8::2',
      '10.2.0.1',
      'web-01',
      'https://web-01/',
    ].map(place),
  ).toEqual(['plant', 'plant', 'plant', undefined, undefined, undefined]);
});
