import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkTarget } from '#shared/assets/targets/canonical.ts';
import type { ScanTarget, TaskType } from '#shared/assets/targets/scan-target.ts';
import { blockText, contains, parseBlock, sizeOf, split, subtract } from '#shared/platform/runtime/addresses.ts';
import { addressesOf, planTasks } from '#shared/scanning/scanner-tasks/plan.ts';

const block = (text: string) => {
  const parsed = parseBlock(text);
  if (!parsed) throw new Error(text);
  return parsed;
};
const target = (type: ScanTarget['type'], value: string, zone: string | null = null) => ({ type, value, zone });
/** The stored form of a target. */
const checkedTarget = (text: string): ScanTarget => {
  const [type, value = ''] = text.split(' ') as [ScanTarget['type'], string];
  const checked = checkTarget({ type, value });
  if ('problem' in checked) throw new Error(`${text} ${checked.problem}`);
  return target(checked.type, checked.value);
};
const plan = (taskTypes: TaskType[], targets: ScanTarget[], exclusions: ScanTarget[] = []) =>
  [...planTasks({ taskTypes, targets, exclusions })].map((planned) => `${planned.type} ${planned.target.value}`);

describe('addresses', () => {
  test.each([
    ['10.0.0.7', '10.0.0.7'],
    ['10.0.0.7/24', '10.0.0.0/24'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8:0:1:0:0:0:0/64', '2001:db8:0:1::/64'],
    ['::', '::'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0200/120', '192.0.2.0/24'],
    ['::ffff:0:0/95', '::fffe:0:0/95'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
  ])('%s is compared as %s', (text, canonical) => {
    expect(blockText(block(text))).toBe(canonical);
  });

  test.each(['10.0.0', '10.0.0.0/33', '10.0.0.0/-1', 'example.com', '10.0.0.0/8/8', '::1/129', 'fe80::1%eth0', ''])(
    '%s is no address',
    (text) => expect(parseBlock(text)).toBeUndefined(),
  );

  test('what is left of a range has no excluded address and loses no other', () => {
    const within = fc.tuple(fc.nat({ max: 255 }), fc.integer({ min: 24, max: 32 }));
    fc.assert(
      fc.property(fc.array(within, { maxLength: 6 }), (excluded) => {
        const holes = excluded.map(([last, prefix]) => block(`10.0.0.${last}/${prefix}`));
        const left = subtract(block('10.0.0.0/24'), holes).flatMap((piece) => split(piece, 0));
        const wanted = split(block('10.0.0.0/24'), 0).filter((one) => !holes.some((hole) => contains(hole, one)));
        expect(left.map(blockText)).toEqual(wanted.map(blockText));
      }),
    );
  });

  test('a range of IPv6 is counted exactly', () => {
    expect(sizeOf(block('2001:db8::/64'))).toBe(2n ** 64n);
  });
});

describe('the plan of an engagement', () => {
  test('each task type works on the targets that it can, and on nothing else', () => {
    const targets = [target('host', '10.0.0.1'), target('repository', 'https://git.example/a/b')];
    expect(plan(['network', 'sast'], targets)).toEqual(['network 10.0.0.1', 'sast https://git.example/a/b']);
  });

  test('a range is shared out in pieces of 256 for a network scan and in addresses for a web scan', () => {
    expect(plan(['network'], [target('cidr', '10.0.0.0/23')])).toEqual(['network 10.0.0.0/24', 'network 10.0.1.0/24']);
    expect(plan(['web'], [target('cidr', '10.0.0.0/31')])).toEqual(['web 10.0.0.0', 'web 10.0.0.1']);
  });

  test('nothing that is excluded gets a task', () => {
    const targets = [
      target('cidr', '10.0.0.0/30'),
      target('host', '10.0.0.9'),
      target('host', 'db.example.com'),
      target('domain', 'shop.example.com'),
      target('url', 'https://www.example.org/admin/users'),
    ];
    const exclusions = [
      target('host', '10.0.0.1'),
      target('cidr', '10.0.0.8/29'),
      target('domain', 'example.com'),
      target('url', 'https://www.example.org/admin'),
    ];
    expect(plan(['web'], targets, exclusions)).toEqual(['web 10.0.0.0', 'web 10.0.0.2', 'web 10.0.0.3']);
  });

  test.each([
    ['cidr 10.0.0.0/24', 'host ::ffff:10.0.0.5'],
    ['cidr 10.0.0.0/24', 'url http://[::ffff:10.0.0.5]/'],
    ['cidr ::ffff:10.0.0.0/120', 'host 10.0.0.5'],
    ['host shop.example.com', 'url https://SHOP.example.com./cart'],
    ['url https://shop.example.com./', 'url https://shop.example.com/cart'],
    ['url https://shop.example.com/admin', 'url https://shop.example.com/admin?page=2'],
    ['url https://shop.example.com/admin', 'url https://shop.example.com/%61dmin/users'],
    ['url https://shop.example.com/admin/', 'url https://shop.example.com//admin'],
    ['host bücher.example', 'host XN--BCHER-KVA.example.'],
    ['repository https://Git.example/a/b.git', 'repository https://git.example/a/b/'],
    ['repository https://git.example/a/b', 'repository git@GIT.example:a/b.git'],
    ['repository ssh://git@git.example/a/b', 'repository https://git.example/a/b'],
  ])('%s keeps away from %s, which is the same place written in another way', (excluded, named) => {
    const place = checkedTarget(named);
    expect(plan(['web', 'sast'], [place])).toHaveLength(1);
    expect(plan(['web', 'sast'], [place], [checkedTarget(excluded)])).toEqual([]);
  });

  test.each<[TaskType, string, string, string[]]>([
    [
      'web',
      'url https://shop.example.com/',
      'url https://shop.example.com/logout',
      ['https://shop.example.com/logout'],
    ],
    ['web', 'url https://shop.example.com/cart', 'url https://shop.example.com/logout', []],
    ['web', 'host shop.example.com', 'url https://shop.example.com/logout', ['https://shop.example.com/logout']],
    ['web', 'domain example.com', 'url https://shop.example.com/logout', ['https://shop.example.com/logout']],
    ['web', 'cidr 10.0.0.4/32', 'url http://10.0.0.4/logout', ['http://10.0.0.4/logout']],
    ['web', 'host 10.0.0.4', 'url http://[::ffff:10.0.0.4]/logout', ['http://10.0.0.4/logout']],
    ['network', 'host 10.0.0.4', 'url http://10.0.0.4/logout', []],
    ['network', 'domain example.com', 'host db.example.com', ['db.example.com']],
    ['network', 'domain example.com', 'domain lab.example.com', ['lab.example.com']],
    ['network', 'domain example.com', 'host db.example.org', []],
    ['network', 'host db.example.com', 'host 10.0.0.5', ['10.0.0.5']],
    ['network', 'domain example.com', 'cidr 10.0.0.0/29', ['10.0.0.0/29']],
    ['web', 'url https://shop.example.com/', 'cidr 2001:db8::/64', ['2001:db8::/64']],
    ['web', 'url https://10.0.0.4/', 'host 10.0.0.5', []],
    ['network', 'host 10.0.0.4', 'host 10.0.0.5', []],
    ['sast', 'repository https://git.example/a/b', 'host 10.0.0.5', []],
    ['sast', 'repository https://git.example/a/b', 'repository https://git.example/a/c', []],
  ])('%s of %s without %s: the scanner is told what it must leave alone', (type, named, excluded, told) => {
    const scope = { taskTypes: [type], targets: [checkedTarget(named)], exclusions: [checkedTarget(excluded)] };
    const plans = [...planTasks(scope)].map(({ exclusions = [] }) => exclusions.map(({ value }) => value));
    expect(plans).toEqual([told]);
  });

  test('an excluded page leaves the pages beside it', () => {
    const pages = ['https://a.example/administration', 'https://a.example/', 'http://a.example/admin'];
    const targets = pages.map((page) => target('url', page));
    expect(plan(['web'], targets, [target('url', 'https://a.example/admin')])).toEqual(
      pages.map((page) => `web ${page}`),
    );
  });

  test.each([
    ['host', 'shop.example.com\\x'],
    ['host', 'shop.ex%61mple.com'],
    ['repository', 'https://token@git.example/a/b'],
  ] as const)('a %s such as %s is refused: it is not what it seems', (type, value) => {
    expect(checkTarget(target(type, value))).toHaveProperty('problem');
  });

  test('an exclusion of one zone does not reach into another', () => {
    const targets = [target('host', '10.0.0.1', 'a'), target('host', '10.0.0.1', 'b')];
    expect([...planTasks({ taskTypes: ['network'], targets, exclusions: [target('host', '10.0.0.1', 'a')] })]).toEqual([
      { type: 'network', target: target('host', '10.0.0.1', 'b') },
    ]);
  });

  test('ranges that overlap are scanned once, and a zone of its own for itself', () => {
    const targets = [
      target('cidr', '10.0.0.0/25'),
      target('host', '10.0.0.5'),
      target('cidr', '10.0.0.0/24'),
      target('cidr', '10.0.0.0/24'),
      target('cidr', '10.0.0.0/26', 'lab'),
    ];
    expect(plan(['network'], targets)).toEqual(['network 10.0.0.0/24', 'network 10.0.0.0/26']);
  });

  test('a target that is named twice is scanned once', () => {
    expect(plan(['network'], [target('host', '10.0.0.1'), target('cidr', '10.0.0.1/32')])).toEqual([
      'network 10.0.0.1',
    ]);
  });
});

describe('whatever the scope, its tasks', () => {
  /** A small space of addresses, so that targets and exclusions meet; a prefix and a place in it. */
  const spaces = { 4: { base: 0x0a000000n, bits: 32, free: 6 }, 6: { base: 0x20010db8n << 96n, bits: 128, free: 6 } };
  const range = fc
    .record({ version: fc.constantFrom(4 as const, 6 as const), place: fc.nat({ max: 63 }), width: fc.nat({ max: 6 }) })
    .map(({ version, place, width }) => {
      const { base, bits } = spaces[version];
      const first = base + BigInt((place >> width) << width);
      const text = blockText({ version, first, prefix: bits - width });
      return target('cidr', text.includes('/') ? text : `${text}/${bits}`);
    });
  const addressesIn = (targets: readonly ScanTarget[]) =>
    new Set(targets.flatMap(({ value }) => split(block(value), 0).map(blockText)));

  test.each(['network', 'web'] as const)('%s: are all of its addresses, once, and none that is excluded', (type) => {
    fc.assert(
      fc.property(
        fc.array(range, { minLength: 1, maxLength: 4 }),
        fc.array(range, { maxLength: 4 }),
        (targets, exclusions) => {
          const tasks = [...planTasks({ taskTypes: [type], targets, exclusions })].map((planned) => planned.target);
          const excluded = addressesIn(exclusions);
          const wanted = [...addressesIn(targets)].filter((address) => !excluded.has(address));
          expect([...addressesIn(tasks)].toSorted()).toEqual(wanted.toSorted());
          expect(tasks.flatMap(({ value }) => split(block(value), 0))).toHaveLength(wanted.length);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('are as many addresses as the engagement counts, however its ranges and hosts overlap', () => {
    const hosts = range.map(({ value, ...one }) => ({
      ...one,
      type: 'host' as const,
      value: value.replace(/\/.*$/, ''),
    }));
    const some = fc.array(fc.oneof(range, hosts), { maxLength: 5 });
    fc.assert(
      fc.property(some, some, (targets, exclusions) => {
        const tasks = [...planTasks({ taskTypes: ['web'], targets, exclusions })];
        expect(addressesOf({ targets, exclusions })).toBe(BigInt(tasks.length));
      }),
      { examples: [[[target('host', '2001:db8::'), target('cidr', '2001:db8::/128')], []]] },
    );
  });

  test('a name is never resolved: it is scanned as it is, or not at all', () => {
    const label = fc.stringMatching(/^[a-z]{1,5}$/);
    const name = fc.tuple(label, label, label).map((labels) => labels.join('.'));
    fc.assert(
      fc.property(name, fc.constantFrom(1, 2), fc.boolean(), (host, cut, isDomain) => {
        const excluded = host.split('.').slice(cut).join('.');
        const exclusions = [target(isDomain ? 'domain' : 'host', excluded), target('cidr', '0.0.0.0/0')];
        expect(plan(['network'], [target('host', host)], exclusions)).toEqual(isDomain ? [] : [`network ${host}`]);
      }),
    );
  });
});

describe('targets', () => {
  test.each([
    ['host', 'WWW.Example.com.', 'www.example.com'],
    ['host', 'bücher.example', 'xn--bcher-kva.example'],
    ['host', '2001:db8::0001', '2001:db8::1'],
    ['cidr', '192.168.1.77/24', '192.168.1.0/24'],
    ['domain', '*.example.com', 'example.com'],
    ['url', 'HTTPS://Example.com/a#b', 'https://example.com/a'],
    ['repository', 'git@git.example:team/app.git', 'git@git.example:team/app.git'],
    ['repository', 'team/app', 'team/app'],
    ['container_image', 'registry.example:5000/app:1.2', 'registry.example:5000/app:1.2'],
    ['cloud_account', '123456789012', '123456789012'],
  ] as const)('%s %s is taken as %s', (type, value, taken) => {
    expect(checkTarget(target(type, value))).toEqual({ type, value: taken });
  });

  test.each([
    ['host', '10.0.0.0/24'],
    ['host', '999.1.1.1'],
    ['host', '-oN /etc/passwd'],
    ['host', 'a b'],
    ['cidr', '10.0.0.0/40'],
    ['domain', 'no_such..name'],
    ['url', 'file:///etc/passwd'],
    ['url', 'https://user:pass@example.com/'],
    ['repository', 'app'],
    ['container_image', 'Not An Image'],
    ['cloud_account', '--profile=x'],
  ] as const)('%s %s is refused, so that no scanner is sent there', (type, value) => {
    expect(checkTarget(target(type, value))).toHaveProperty('problem');
  });
});
