import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CLOSING_CODES, CLOSING_REASONS, type ClosingCode } from '#shared/findings/closing/closing-code.ts';
import { type ClosingScan, type ReportedFinding, whatKeepsOpen } from '#shared/findings/closing/keeps-open.ts';
import { asksForConfirmation } from '#shared/findings/closing/limits.ts';
import { type KnownScans, whyOpen } from '#shared/findings/closing/why-open.ts';
import { nmap } from '#shared/reports/formats/nmap/format.ts';

const [monday, tuesday, wednesday] = ['01', '02', '03'].map((day) => `2026-06-${day}T08:00:00.000Z`) as [
  string,
  string,
  string,
];
const seenOn = (day: string, tool = 'nmap') => ({ tool, seenAt: Date.parse(day) });

const finding: ReportedFinding = {
  status: 'open',
  firstSeenAt: monday,
  asset: { type: 'host', name: 'web-1' },
  location: 'web-1:443/tcp',
  ruleId: 'open-port',
  seen: seenOn(monday),
  isOfScope: true,
};

/** It came in on Tuesday, reached the host and tried the port. */
const scan: ClosingScan = {
  scan: { source: 'import', target: { type: 'cidr', value: '10.0.0.0/24' } },
  format: nmap,
  facts: {
    covered: { reached: ['web-1'], unreached: [], ports: [{ protocol: 'tcp', from: 1, to: 1000 }] },
    incomplete: false,
    tools: ['nmap'],
  },
  at: tuesday,
  since: Date.parse(tuesday),
};
const sent = (fields: Partial<ClosingScan['scan']>) => ({ scan: { ...scan.scan, ...fields } });
const covering = (fields: Partial<ClosingScan['facts']['covered']>) => ({
  facts: { ...scan.facts, covered: { ...scan.facts.covered, ...fields } },
});

test.each<[ClosingCode | undefined, string, Partial<ReportedFinding>, Partial<ClosingScan>]>([
  [undefined, 'a scan that proves it gone', {}, {}],
  [undefined, 'a finding in progress', { status: 'in_progress' }, {}],
  ['still_reported', 'the scan reports it', { seen: seenOn(tuesday) }, {}],
  ['still_reported', 'an earlier report of the same scan has it', {}, { since: Date.parse(monday) }],
  ['not_newer', 'a later scan saw it', { seen: seenOn(wednesday) }, {}],
  ['not_newer', 'it was opened again since', { reopenedAt: wednesday }, {}],
  ['not_newer', 'it was found since', { firstSeenAt: tuesday }, {}],
  ['not_in_scope', 'a scan of another scope', { isOfScope: false }, {}],
  ['other_tool', 'another tool found it', { seen: seenOn(monday, 'nmap (web)') }, {}],
  ['no_target', 'an import without a target', {}, { scan: { source: 'import' } }],
  ['scan_partial', 'a report that is a part', {}, sent({ closeMissing: false })],
  ['scan_partial', 'a scan that failed', {}, sent({ outcome: 'failed' })],
  ['report_incomplete', 'a report with a rejected entry', {}, { facts: { ...scan.facts, incomplete: true } }],
  ['not_reached', 'a report that names another host', {}, covering({ reached: ['web-2'] })],
  ['not_reached', 'a report that names no host', {}, covering({ reached: [] })],
  ['not_reached', 'a scanner that failed on the host', {}, sent({ targetsFailed: [{ value: 'web-1' }] })],
  ['not_reached', 'a scanner that failed on all', {}, sent({ targetsFailed: [{ value: '10.0.0.0/24' }] })],
  [
    'not_reached',
    'a report that names other assets only',
    {},
    { format: {}, facts: { ...scan.facts, covered: { reached: [], unreached: [] }, named: ['web-2'] } },
  ],
  ['not_looked_for', 'a scan of other ports', {}, covering({ ports: [{ protocol: 'tcp', from: 1, to: 100 }] })],
  ['decided', 'a false positive', { status: 'false_positive' }, {}],
  ['decided', 'a risk that is accepted', { status: 'risk_accepted' }, {}],
  ['decided', 'out of scope', { status: 'out_of_scope' }, {}],
  ['of_appliance', 'an appliance', {}, { scan: { source: 'apex' } }],
])('%s: %s', (code, _name, some, other) => {
  expect(whatKeepsOpen({ ...scan, ...other })({ ...finding, ...some })).toBe(code);
});

test.each([
  [20, 39, true],
  [20, 40, false],
  [19, 19, false],
  [200, 400, false],
  [201, 400, true],
])('a closing of %i of %i open findings is held: %s', (count, open, isHeld) => {
  expect(asksForConfirmation(count, open)).toBe(isHeld);
});

describe('why a finding is open', () => {
  const own = { taskId: '01890000-0000-7000-8000-000000000001', at: tuesday, tool: 'nmap' };
  const other = { ...own, taskId: '01890000-0000-7000-8000-000000000002', at: wednesday };
  const reported = { ...finding, isManual: false };

  test.each<[ClosingCode, typeof own | null, Partial<typeof reported>, KnownScans]>([
    ['still_reported', own, { seen: seenOn(tuesday) }, { own: { scan: own, proof: scan } }],
    ['still_reported', own, { seen: seenOn(tuesday) }, { own: { scan: own, missing: 'scan_partial' } }],
    ['scan_partial', own, {}, { own: { scan: own, missing: 'scan_partial' } }],
    ['scan_unfinished', own, {}, { own: { scan: own, missing: 'scan_unfinished' } }],
    ['held', own, {}, { own: { scan: own, missing: 'held', proof: scan } }],
    [
      'not_reached',
      own,
      { asset: { type: 'host', name: 'web-2' } },
      { own: { scan: own, missing: 'held', proof: scan } },
    ],
    ['decided', own, {}, { own: { scan: own, proof: scan } }],
    ['of_appliance', own, { seen: seenOn(tuesday) }, { own: { scan: own, missing: 'of_appliance' } }],
    ['not_in_scope', null, {}, {}],
    ['not_in_scope', other, {}, { own: { scan: own, proof: scan }, later: { scan: other, missing: 'not_in_scope' } }],
    ['written_by_hand', null, { isManual: true }, { own: { scan: own, proof: scan } }],
  ])('%s', (missing, named, some, known) => {
    expect(whyOpen({ ...reported, ...some }, known)).toEqual({
      scan: named,
      missing,
      message: CLOSING_REASONS[missing],
    });
  });

  test('a finding that is not open has no reason', () => {
    expect(whyOpen({ ...reported, status: 'fixed' }, { own: { scan: own, proof: scan } })).toBeNull();
    expect(whyOpen({ ...reported, status: 'risk_accepted' }, {})).toBeNull();
  });
});

test('docs/closing.md names the id of each row', () => {
  const ids = [...readFileSync('docs/closing.md', 'utf8').matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, id]) => id);
  expect(ids.toSorted()).toEqual(CLOSING_CODES.toSorted());
});
