import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalTargets, checkTarget } from '#shared/assets/targets/canonical.ts';
import { TARGET_TYPES, type TargetType } from '#shared/assets/targets/scan-target.ts';
import { blockText, parseBlock, sizeOf, split } from '#shared/platform/runtime/addresses.ts';

const taken = (type: TargetType, value: string) => {
  const found = canonicalTargets({ type, value });
  return 'problem' in found ? 'refused' : found.map((one) => `${one.type} ${one.value}`);
};

describe('a text that some tool reads as addresses', () => {
  test.each<[TargetType, string]>([
    ['host', '127.0.0.1-2'],
    ['host', '0-255.0-255.0-255.0-255'],
    ['host', '10.0.0-1.5'],
    ['host', '10.0.0.5-10.0.0.9'],
    ['host', '10-20'],
    ['host', '127.1'],
    ['host', '2130706433'],
    ['host', '0x7f000001'],
    ['host', '0x7F.0.0.1'],
    ['host', '017700000001'],
    ['host', '0177.0.0.1'],
    ['host', 'shop.example.1'],
    ['host', '１２７.0.0.1-2'],
    ['host', '64:ff9b::10.0.0.5'],
    ['domain', '10.0.0.1-2'],
    ['domain', '10.0.0.1'],
    ['domain', '*.0x7f.1'],
    ['cidr', '10.0.0.0-255/24'],
    ['cidr', '10.0-1.0.0'],
    ['cidr', '10.0.0.9-10.0.0.5'],
    ['cidr', '10.0.0.9-300'],
    ['cidr', '10.0.0.9-::1'],
    ['cidr', '64:ff9b::/120'],
    ['url', 'http://127.0.0.1-2/'],
    ['url', 'http://0x7f.0.0.1/'],
    ['url', 'http://0177.0.0.1/'],
    ['url', 'http://2130706433/'],
    ['url', 'http://127.1:8080/x?127.0.0.1'],
    ['url', 'http://[64:ff9b::a00:5]/'],
    ['repository', 'https://0x7f.1/a/b'],
    ['repository', 'ssh://git@0x7f.1/a/b'],
    ['repository', 'git@127.0.0.1-2:a/b'],
    ['container_image', '127.1:5000/app:1'],
  ])('%s %s is refused: it would pass exclusions and the count of addresses by', (type, value) => {
    expect(taken(type, value)).toBe('refused');
  });

  test.each<[TargetType, string, string[]]>([
    ['cidr', '10.0.0.5-10.0.0.9', ['host 10.0.0.5', 'cidr 10.0.0.6/31', 'cidr 10.0.0.8/31']],
    ['cidr', '10.0.0.5-9', ['host 10.0.0.5', 'cidr 10.0.0.6/31', 'cidr 10.0.0.8/31']],
    ['cidr', '10.0.0.0 - 10.0.0.255', ['cidr 10.0.0.0/24']],
    ['cidr', '2001:db8::5-2001:db8::7', ['host 2001:db8::5', 'cidr 2001:db8::6/127']],
    ['cidr', '0.0.0.0-255.255.255.255', ['cidr 0.0.0.0/0']],
    ['cidr', '10.0.0.7/32', ['host 10.0.0.7']],
    ['cidr', '10.0.0.7', ['host 10.0.0.7']],
    ['cidr', '::ffff:10.0.0.0/120', ['cidr 10.0.0.0/24']],
    ['url', 'http://[::ffff:10.0.0.4]/a', ['url http://10.0.0.4/a']],
    ['url', 'https://SHOP.example.com.:8443/a#b', ['url https://shop.example.com:8443/a']],
    ['host', '10-20.example.com', ['host 10-20.example.com']],
    ['host', '0xcafe.example', ['host 0xcafe.example']],
    ['host', 'web_1', ['host web_1']],
    ['repository', 'ssh://git@GIT.example/a/b/', ['repository ssh://git@git.example/a/b']],
    ['container_image', 'localhost:5000/app:1', ['container_image localhost:5000/app:1']],
  ])('%s %s is taken as what it means: %j', (type, value, found) => {
    expect(taken(type, value)).toEqual(found);
  });
});

const texts = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.stringMatching(/^[\d.-]{1,20}$/),
  fc.stringMatching(/^[0-9a-fx.:/-]{1,24}$/),
  fc.ipV4(),
  fc.ipV6(),
  fc.domain(),
  fc.webUrl(),
  fc.tuple(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(128)).map(([address, prefix]) => `${address}/${prefix}`),
  fc.tuple(fc.ipV4(), fc.nat(300)).map(([address, last]) => `${address}-${last}`),
  fc.constantFrom('https://git.example/a/b.git', 'git@git.example:a/b', 'registry.example:5000/a/b@x', 'a/b', '*.a.b'),
);

test('a target that was stored is stored the same again, so that it can be read, edited and sent back', () => {
  fc.assert(
    fc.property(fc.constantFrom(...TARGET_TYPES), texts, (type, value) => {
      const found = canonicalTargets({ type, value });
      for (const one of 'problem' in found ? [] : found) expect(checkTarget(one)).toEqual(one);
    }),
    { numRuns: 2000 },
  );
});

/** The addresses that Nmap makes of a text: in each of four numbers a range or a list. */
function addressesOfNmap(text: string): number {
  const parts = text.split('.');
  if (parts.length !== 4) return 0;
  const sizes = parts.map((part) => {
    const [, from, to = from] = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(part) ?? [];
    return from === undefined || Number(to) > 255 ? 0 : Math.max(0, Number(to) - Number(from) + 1);
  });
  return sizes.reduce((product, size) => product * size, 1);
}

test('an accepted text of digits, dots and dashes means one address in every tool', () => {
  const octet = fc.oneof(
    fc.nat(255).map(String),
    fc.tuple(fc.nat(255), fc.nat(255)).map((pair) => pair.join('-')),
  );
  const text = fc.oneof(
    fc.array(octet, { minLength: 1, maxLength: 5 }).map((octets) => octets.join('.')),
    fc.stringMatching(/^[\d.-]{1,16}$/),
  );
  fc.assert(
    fc.property(fc.constantFrom('host' as const, 'domain' as const, 'cidr' as const), text, (type, value) => {
      const found = canonicalTargets({ type, value });
      for (const one of 'problem' in found ? [] : found)
        expect(one.type === 'cidr' || addressesOfNmap(one.value) === 1).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('a range is the addresses between its ends, each once', () => {
  const end = fc.nat(600);
  const address = (n: number) => blockText({ version: 4, first: 0x0a00_0000n + BigInt(n), prefix: 32 });
  fc.assert(
    fc.property(end, end, (a, b) => {
      const [first, last] = [Math.min(a, b), Math.max(a, b)];
      const found = canonicalTargets({ type: 'cidr', value: `${address(first)}-${address(last)}` });
      const blocks = 'problem' in found ? [] : found.flatMap(({ value }) => parseBlock(value) ?? []);
      const wanted = Array.from({ length: last - first + 1 }, (_, n) => address(first + n));
      expect(blocks.flatMap((block) => split(block, 0).map(blockText))).toEqual(wanted);
      expect(blocks.reduce((sum, block) => sum + sizeOf(block), 0n)).toBe(BigInt(wanted.length));
    }),
  );
});
