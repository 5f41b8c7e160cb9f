import { expect, test } from 'vitest';
import { isPartial, partOf, said } from '#functions/workers/imports/inventory/part-of.ts';
import { GONE, isTold, sourceOf } from '#functions/workers/imports/inventory/seen.ts';
import type { Session } from '#functions/workers/imports/session.ts';
import type { Scan } from '#shared/ingest/submission.ts';
import type { ReportInventory, Service } from '#shared/reports/report/report.ts';

type Facts = { rejectedCount?: number; ports?: unknown };

const sessionOf = (submission: Partial<Scan>, { rejectedCount = 0, ports }: Facts = {}) =>
  ({ submission, manifest: { rejectedCount, covered: { reached: [], unreached: [], ports } } }) as unknown as Session;

test.each<[string, Partial<Scan>, Facts, boolean]>([
  ['that says nothing of its end', {}, {}, false],
  ['that was completed', { outcome: 'completed', closeMissing: true }, {}, false],
  ['that failed', { outcome: 'failed' }, {}, true],
  ['that calls itself partial', { closeMissing: false }, {}, true],
  ['of which one entry cannot be read', {}, { rejectedCount: 1 }, true],
])('a scan %s may lack some of what is there: %o %o', (_name, submission, facts, expected) => {
  expect(isPartial(sessionOf(submission, facts))).toBe(expected);
});

test('a scan of which nothing was read yet lacks nothing', () => {
  expect(isPartial({ submission: {} } as Session)).toBe(false);
});

const service = (port: number, name = 'http'): Service => ({
  ...{ port, protocol: 'tcp', service: name },
  ...{ product: null, version: null, cpe: null },
});
const software = (name: string, version: string) => ({ name, version }) as never;
const inventory = (told: object) => told as ReportInventory;
const ports = [{ protocol: 'tcp', from: 1, to: 100 }];

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
  const part = (session: Session, partial: boolean, what = told) => namesIn(partOf(session, what, partial)(before));
  expect(part(sessionOf({}), false)).toEqual({ services: ['80 https', '90 http'], software: ['b 2'] });
  expect(part(sessionOf({}), true)).toMatchObject({ services: ['22 http', '80 https', '443 http', '90 http'] });
  expect(part(sessionOf({}, { ports }), false).services?.sort()).toEqual(['443 http', '80 https', '90 http']);
  expect(part(sessionOf({}), true).software).toContain('a 1');
  expect(part(sessionOf({}), false, inventory({ services: [] }))).toEqual({ services: [], software: ['a 1', 'b 1'] });
  expect(part(sessionOf({}), false, inventory({ software: [] }))).toEqual({
    services: ['22 http', '80 http', '443 http'],
    software: [],
  });
  expect(partOf(sessionOf({}), told, false)({})).toEqual({ ...told });
  expect(partOf(sessionOf({}), told, true)({})).toEqual({ ...told });
});

test('a report says something else where it names others, looked at other ports, or is partial', () => {
  const told = inventory({ services: [service(80)], software: [software('a', '1')] });
  const onlySoftware = inventory({ software: [software('a', '1')] });
  const asked = (session: Session, what = told, id = 'asset') => said(session, what, id);
  expect(asked(sessionOf({}))).toBe(asked(sessionOf({})));
  const all = [
    asked(sessionOf({})),
    asked(sessionOf({}, { ports })),
    asked(sessionOf({ closeMissing: false })),
    asked(sessionOf({}), told, 'other'),
    asked(sessionOf({}), onlySoftware),
    asked(sessionOf({}), inventory({ services: [service(80)] })),
    asked(sessionOf({}), { ...told, os: { name: 'Debian' } } as never),
  ];
  expect(new Set(all).size).toBe(all.length);
  // a report without services looked at no ports
  expect(asked(sessionOf({}, { ports }), onlySoftware)).toBe(asked(sessionOf({}), onlySoftware));
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
