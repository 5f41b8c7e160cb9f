import { expect, test } from 'vitest';
import { isPartial, partOf, type Reported, said } from '#functions/workers/imports/inventory/part-of.ts';
import { GONE, isTold, sourceOf } from '#functions/workers/imports/inventory/seen.ts';
import { newManifest } from '#functions/workers/imports/manifest.ts';
import type { Scan } from '#shared/ingest/submission.ts';
import type { Extent, ReportInventory, Service } from '#shared/reports/report/report.ts';

type Facts = { rejectedCount?: number; ports?: Extent['ports'] };

const readOf = (scan: Partial<Scan>, { rejectedCount = 0, ports = [] }: Facts = {}): Reported => ({
  submission: { source: 'import', format: 'nmap', report: { key: '', encoding: 'utf8' }, ...scan },
  manifest: {
    ...newManifest(),
    rejectedCount,
    covered: { reached: [], unreached: [], ...(ports.length > 0 && { ports }) },
  },
});

test.each<[string, Partial<Scan>, Facts, boolean]>([
  ['that says nothing of its end', {}, {}, false],
  ['that was completed', { outcome: 'completed', closeMissing: true }, {}, false],
  ['that failed', { outcome: 'failed' }, {}, true],
  ['that calls itself partial', { closeMissing: false }, {}, true],
  ['of which one entry cannot be read', {}, { rejectedCount: 1 }, true],
])('a scan %s may lack some of what is there: %o %o', (_name, submission, facts, expected) => {
  expect(isPartial(readOf(submission, facts))).toBe(expected);
});

const service = (port: number, name = 'http'): Service => ({
  port,
  protocol: 'tcp',
  service: name,
  product: null,
  version: null,
  cpe: null,
});
const software = (name: string, version: string) => ({ name, version }) as never;
const inventory = (told: object) => told as ReportInventory;
const ports: Extent['ports'] = [{ protocol: 'tcp', from: 1, to: 100 }];

const namesIn = (part: { services?: readonly Service[]; software?: readonly unknown[] }) => ({
  services: part.services?.map(({ port, service: name }) => `${port} ${name}`),
  software: part.software?.map((one) => Object.values(one as object).join(' ')),
});

test('a scan to the end takes away what it looked for, adds what it found, and leaves what it did not look for', () => {
  const before = {
    services: [service(22), service(80), service(443)],
    software: [software('a', '1'), software('b', '1')],
    other: 'kept',
  } as never;
  const told = inventory({ services: [service(80, 'https'), service(90)], software: [software('b', '2')] });
  const part = (read: Reported, partial: boolean, what = told) => namesIn(partOf(read, what, partial)(before));
  expect(part(readOf({}), false)).toEqual({ services: ['80 https', '90 http'], software: ['b 2'] });
  expect(part(readOf({}), true)).toMatchObject({ services: ['22 http', '80 https', '443 http', '90 http'] });
  expect(part(readOf({}, { ports }), false).services?.sort()).toEqual(['443 http', '80 https', '90 http']);
  expect(part(readOf({}), true).software).toContain('a 1');
  expect(part(readOf({}), false, inventory({ services: [] }))).toEqual({ services: [], software: ['a 1', 'b 1'] });
  expect(part(readOf({}), false, inventory({ software: [] }))).toEqual({
    services: ['22 http', '80 http', '443 http'],
    software: [],
  });
  expect(partOf(readOf({}), told, false)({})).toEqual({ ...told });
  expect(partOf(readOf({}), told, true)({})).toEqual({ ...told });
});

test('a report says something else where it names others, looked at other ports, or is partial', () => {
  const told = inventory({ services: [service(80)], software: [software('a', '1')] });
  const onlySoftware = inventory({ software: [software('a', '1')] });
  const asked = (read: Reported, what = told, id = 'asset') => said(read, what, id);
  expect(asked(readOf({}))).toBe(asked(readOf({})));
  const all = [
    asked(readOf({})),
    asked(readOf({}, { ports })),
    asked(readOf({ closeMissing: false })),
    asked(readOf({}), told, 'other'),
    asked(readOf({}), onlySoftware),
    asked(readOf({}), inventory({ services: [service(80)] })),
    asked(readOf({}), { ...told, os: { name: 'Debian' } } as never),
  ];
  expect(new Set(all).size).toBe(all.length);
  // a report without services looked at no ports
  expect(asked(readOf({}, { ports }), onlySoftware)).toBe(asked(readOf({}), onlySoftware));
});

test('each type of scan is a source of its own, and who keeps an inventory is one', () => {
  const names = [{}, { scanType: 'web' }, { scanType: 'web', inventory: { source: 'cmdb' } }].map((more) =>
    sourceOf({ format: 'nmap', ...more } as never),
  );
  expect(names).toEqual(['nmap', 'nmap/web', 'cmdb']);
  expect(sourceOf({ format: 'nmap', scanType: 'x'.repeat(200) } as never)).toHaveLength(120);
});

test('a source has told of an asset until it no longer names it', () => {
  const seen = new Map([
    ['here', { at: '', hash: 'x' }],
    ['gone', { at: '', hash: GONE }],
  ]);
  expect(['here', 'gone', 'never'].map((key) => isTold(seen, key))).toEqual([true, false, false]);
});
