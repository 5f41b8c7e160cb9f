import { describe, expect, test } from 'vitest';
import { readyCompiler } from '#shared/findings/branches/tried-rules.ts';
import { decideByRules, type ReadyRule, type RuleSubject } from '#shared/findings/suppression/decide.ts';
import { filtersOf, inOrder, ruleSelection, suppressionFields } from '#shared/findings/suppression/stored.ts';
import { isActive, type SuppressionRule } from '#shared/findings/suppression/suppression-rule.ts';

const seen = '2026-01-05T08:00:00.000Z';
const made = '2026-01-10T08:00:00.000Z';
const at = '2026-02-01T12:00:00.000Z';
const approver = { id: 'ann', name: 'Ann' };

const compile = await readyCompiler(suppressionFields);
const ready = (one: SuppressionRule): ReadyRule => ({ ...one, ...compile(filtersOf(one)) });
const rule = (fields: Partial<SuppressionRule> = {}): ReadyRule =>
  ready({
    id: 'r',
    version: 1,
    createdAt: made,
    updatedAt: made,
    createdBy: { kind: 'user', ...approver },
    name: 'Lab',
    enabled: true,
    conditions: { tool: 'zap' },
    filter: null,
    status: 'out_of_scope',
    reason: 'a laboratory',
    expiresAt: null,
    order: 100,
    approver,
    taskId: 't',
    ...fields,
  });
const asset = { id: 'a', type: 'url', name: 'https://Shop.example.com/cart', zone: null } as const;
const subject = (fields: Partial<RuleSubject> = {}): RuleSubject => ({
  status: 'open',
  firstSeenAt: seen,
  reopenedCount: 0,
  ruleId: 'xss',
  tool: 'zap',
  cves: ['CVE-2021-44228'],
  asset,
  ...fields,
});
const decide = (rules: readonly ReadyRule[], finding = subject(), tags: string[] = []) =>
  decideByRules(rules, finding, { at, behind: { type: 'url', value: 'x', name: 'x', zone: null, tags, branches: [] } });
const heldBy = { id: 'r', name: 'Lab', was: 'in_progress' } as const;

test('a rule holds until its end, and not at it; one that is off never does', () => {
  expect(isActive(rule(), at)).toBe(true);
  expect(isActive(rule({ expiresAt: '2026-02-01T12:00:00.001Z' }), at)).toBe(true);
  expect(isActive(rule({ expiresAt: at }), at)).toBe(false);
  expect(isActive(rule({ enabled: false }), at)).toBe(false);
});

describe('a finding that meets a rule', () => {
  test('gets its status, and keeps the one before for the end of the rule', () => {
    expect(decide([rule()], subject({ status: 'in_progress' }))).toMatchObject({
      status: 'out_of_scope',
      statusReason: 'a laboratory',
      suppressedBy: heldBy,
    });
    const until = '2026-03-01T00:00:00.000Z';
    const accepting = rule({ status: 'risk_accepted', expiresAt: until });
    expect(decide([accepting])).toMatchObject({
      status: 'risk_accepted',
      acceptedBy: approver,
      suppressedBy: { id: 'r', name: 'Lab', until, was: 'open' },
    });
  });

  test('that holds it already stays as it is, unless the rule says something else by now', () => {
    const held = subject({ status: 'out_of_scope', statusReason: 'a laboratory', suppressedBy: heldBy });
    expect(decide([rule()], held)).toBeUndefined();
    expect(decide([rule({ reason: 'a test' })], held)).toMatchObject({
      status: 'out_of_scope',
      statusReason: 'a test',
    });
    expect(decide([rule({ name: 'Test' })], held)).toMatchObject({ suppressedBy: { ...heldBy, name: 'Test' } });
    expect(decide([rule({ status: 'false_positive' })], held)).toMatchObject({
      status: 'false_positive',
      suppressedBy: heldBy,
    });
  });

  test('gets its former status back when none holds it any more, and who holds it next says the same status before', () => {
    const held = subject({ status: 'out_of_scope', statusReason: 'a laboratory', suppressedBy: heldBy });
    expect(decide([rule({ enabled: false })], held)).toMatchObject({
      status: 'in_progress',
      suppressedBy: undefined,
      statusReason: 'The rule Lab no longer applies.',
    });
    expect(decide([rule({ enabled: false }), rule({ id: 'next', name: 'Next' })], held)).toMatchObject({
      suppressedBy: { id: 'next', name: 'Next', was: 'in_progress' },
    });
  });

  test('that was decided on by a person stays so', () => {
    for (const status of ['false_positive', 'fixed', 'risk_accepted'] as const)
      expect(decide([rule()], subject({ status }))).toBeUndefined();
    expect(decide([rule()], subject({ decidedAt: made }))).toBeUndefined();
    expect(decide([rule()], subject({ decidedAt: '2026-01-10T07:59:59.999Z' }))).toMatchObject({
      status: 'out_of_scope',
    });
    expect(decide([])).toBeUndefined();
  });
});

test('a rule acknowledges no finding, neither when it begins nor when it ends', () => {
  const held = subject({ status: 'out_of_scope', suppressedBy: heldBy });
  for (const changes of [decide([rule()]), decide([], held)]) {
    expect(changes).toHaveProperty('status');
    expect(changes).not.toHaveProperty('acknowledgedAt');
  }
});

test.each<[Partial<SuppressionRule['conditions']>, boolean]>([
  [{ tool: 'zap' }, true],
  [{ tool: 'ZAP' }, true],
  [{ tool: 'nmap' }, false],
  [{ ruleId: 'xss' }, true],
  [{ ruleId: 'sql' }, false],
  [{ cve: 'cve-2021-44228' }, true],
  [{ cve: 'CVE-2021-44229' }, false],
  [{ path: 'src/*' }, true],
  [{ path: 'test/*' }, false],
  [{ host: 'shop.example.com' }, true],
  [{ host: 'pay.example.com' }, true],
  [{ host: '10.0.0.7' }, true],
  [{ host: 'https://shop.example.com/*' }, true],
  [{ host: 'api.example.com' }, false],
  [{ assetTag: 'lab' }, true],
  [{ assetTag: 'pci' }, false],
  [{ tool: 'zap', ruleId: 'xss', cve: 'CVE-2021-44228', path: 'src/a.ts', assetTag: 'lab' }, true],
  [{ tool: 'zap', assetTag: 'pci' }, false],
])('of one on several places, %o is met: %s', (conditions, isMet) => {
  const locationDetail = { path: 'src/a.ts', host: '10.0.0.7', url: 'https://pay.example.com/x' };
  const found = decide([rule({ conditions })], subject({ locationDetail }), ['lab']);
  expect(found !== undefined).toBe(isMet);
});

test('a finding without a place meets no condition on one', () => {
  const on = subject({ asset: { ...asset, name: 'shop' } });
  expect(decide([rule({ conditions: { path: 'src/*' } })], on)).toBeUndefined();
  expect(decide([rule({ conditions: { host: 'pay' } })], on)).toBeUndefined();
  expect(decide([rule({ conditions: { host: 'shop' } })], on)).toBeDefined();
});

test('the first rule decides: by its order, and of equal ones the oldest', () => {
  const [late, old, young] = [
    rule({ id: 'late', order: 101, createdAt: '2026-01-01T00:00:00.000Z' }),
    rule({ id: 'old', createdAt: '2026-01-02T00:00:00.000Z' }),
    rule({ id: 'young', createdAt: '2026-01-03T00:00:00.000Z' }),
  ];
  for (const rules of [
    [late, young, old],
    [old, late, young],
    [young, old, late],
  ])
    expect(inOrder(rules).map(({ id }) => id)).toEqual(['old', 'young', 'late']);
  expect(decide([old, young])).toMatchObject({ suppressedBy: { id: 'old' } });
});

test('a rule looks at open findings of its tool, its rule and its CVE, or at those that it holds', () => {
  const one = rule({ conditions: { tool: 'zap', ruleId: 'xss', cve: 'cve-2021-1', path: 'x' } });
  const named = (name: string, value: string) => ({ name, values: [value] });
  expect(ruleSelection(one)).toEqual({
    where: { status: ['open', 'in_progress'] },
    matching: { all: [named('ruleId', 'xss'), named('tool', 'zap'), named('cve', 'CVE-2021-1'), 'everything'] },
  });
  expect(ruleSelection(one, { suppressedBy: 'r' }).where).toEqual({ suppressedBy: 'r' });
});

test.each<[string, Partial<RuleSubject>, boolean]>([
  ['path:src/* -asset.tag:pci', {}, true],
  ['asset.tag:lab', {}, true],
  ['asset.tag:lab', { status: 'out_of_scope', suppressedBy: heldBy }, true],
  ['cve:CVE-2021-44229 OR host:*.example.com', {}, true],
  ['rule:xss tool:nmap', {}, false],
])('the filter %s is met beside the conditions: %o %s', (filter, fields, isMet) => {
  const locationDetail = { path: 'src/a.ts' };
  const one = rule({ filter, conditions: { ruleId: 'xss' }, reason: 'another' });
  const found = decide([one], subject({ locationDetail, ...fields }), ['lab']);
  expect(found?.suppressedBy?.id).toBe(isMet ? 'r' : undefined);
});
