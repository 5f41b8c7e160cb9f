import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { applicationRisk, type OpenRisk } from '#shared/exposure/applications/risk.ts';
import { scoreWrite } from '#shared/exposure/applications/scores.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { now, setClock } from '#shared/platform/runtime/clock.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { named, startWork } from '../support/applications.ts';
import { findingDraft } from '../support/findings.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { until } from '../support/wait.ts';

const system = startSystem();
const start = async () => startWork(await system.newOrganization());
const at = now();

test('the findings and vulnerabilities of linked assets are those of the application, also those that come and go', async () => {
  const { organization, analyst, refused, host, application, link, rule, newest } = await start();
  const { table, admin } = organization;
  const [id, one] = [await application('Shop', { criticality: 'critical' }), await host('web-1')];
  const params = { id };
  const asset = { id: one, type: 'host' as const, name: 'web-1', zone: null };
  const openssl = { component: { name: 'openssl', version: '3.0', fixedVersions: [] }, cves: ['CVE-2022-0778'] };
  const current = await table.create(findings, findingDraft(at, { asset, severity: 'high', ...openssl }));
  const listed = async () =>
    (await analyst.ok('listApplicationFindings', { params })).data.map((finding) => finding.id);
  expect(await listed()).toEqual([]);
  const { id: mapping } = await link(id, one);
  await until(listed, ({ length }) => length === 1);
  expect(
    (await analyst.ok('listFindings', { query: { applicationId: id, severity: 'high' } as never })).data,
  ).toMatchObject([{ id: current.id }]);
  const later = await admin.ok('createFinding', {
    body: { title: 'Open admin page', severity: 'critical', assetId: one, description: 'x' } as never,
  });
  expect(await listed()).toEqual([later.id, current.id]);
  expect(
    (await analyst.ok('listApplicationFindings', { params, query: { severity: 'critical' } as never })).totalCount,
  ).toBe(1);
  const vulnerable = () => analyst.ok('listApplicationVulnerabilities', { params });
  const { data } = await until(vulnerable, ({ totalCount }) => totalCount === 1);
  expect(data).toMatchObject([{ advisoryId: 'CVE-2022-0778', asset: { id: one } }]);
  expect((await analyst.ok('listVulnerabilities', { query: { applicationId: id } })).totalCount).toBe(1);
  expect(await analyst.ok('getFindingsTrend', { query: { applicationId: id } })).toMatchObject({
    opened: { high: 1, critical: 1 },
  });
  expect(await refused(analyst.call('getFindingsTrend', { query: { applicationId: one } }))).toEqual([
    400,
    'not_found',
    undefined,
  ]);
  const summary = await analyst.ok('getRiskSummary', { params });
  expect(summary).toMatchObject({
    openFindings: { critical: 1, high: 1, medium: 0, low: 0, info: 0 },
    kevOpen: 0,
    overdue: 0,
    change30d: null,
    trend: [{ date: now().slice(0, 10), score: summary.score }],
  });
  expect(summary.factors.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(summary.score, -0.5);
  const ruleId = await rule(id, named('web-*'));
  await analyst.ok('deleteAssetMapping', { params: { id, mapping_id: mapping } });
  expect(await listed()).toHaveLength(2);
  await analyst.ok('deleteAssetRule', { params: { id, rule_id: ruleId } });
  await newest();
  await until(listed, ({ length }) => length === 0);
  await until(vulnerable, ({ totalCount }) => totalCount === 0);
  expect(await analyst.ok('getRiskSummary', { params })).toMatchObject({ score: 0, grade: 'A' });
  await expectExact(table, [findings, vulnerabilities]);
});

test('a summary shows the scores of former days, and how much changed in thirty', async () => {
  const { organization, analyst, application } = await start();
  const id = await application('Shop');
  const daysAgo = (days: number) => Date.now() - days * 86_400_000;
  const dates: string[] = [];
  for (const [days, score] of [
    [100, 9],
    [30, 40],
    [1, 12],
  ] as const) {
    setClock(() => daysAgo(days));
    const batch = organization.table.batch();
    batch.write(scoreWrite(organization.table, id, score));
    await batch.commit();
    dates.push(now().slice(0, 10));
  }
  setClock();
  expect(await analyst.ok('getRiskSummary', { params: { id } })).toMatchObject({
    score: 0,
    change30d: -40,
    trend: [{ date: dates[1], score: 40 }, { date: dates[2], score: 12 }, { score: 0 }],
  });
});

const risk = fc.record({
  open: fc.record({
    critical: fc.nat(50),
    high: fc.nat(500),
    medium: fc.nat(500),
    low: fc.nat(500),
    info: fc.nat(500),
  }),
  kevOpen: fc.nat(20),
  overdue: fc.nat(100),
});
const CRITICALITIES = ['low', 'medium', 'high', 'critical'] as const;
const more = (given: OpenRisk): OpenRisk[] => [
  ...Object.keys(given.open).map((name) => ({
    ...given,
    open: { ...given.open, [name]: Reflect.get(given.open, name) + 1 },
  })),
  { ...given, kevOpen: given.kevOpen + 1 },
  { ...given, overdue: given.overdue + 1 },
];

test('nobody lowers the risk of an application by more or worse findings, a higher criticality or exposure', () => {
  fc.assert(
    fc.property(risk, fc.constantFrom(...CRITICALITIES), (given, criticality) => {
      const { score, grade, factors } = applicationRisk(given, { criticality, internetExposed: null });
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(100);
      for (const worse of more(given)) {
        const other = applicationRisk(worse, { criticality, internetExposed: null });
        expect(other.score).toBeGreaterThanOrEqual(score);
        expect(other.grade >= grade).toBe(true);
      }
      for (const higher of CRITICALITIES.slice(CRITICALITIES.indexOf(criticality)))
        expect(applicationRisk(given, { criticality: higher, internetExposed: true }).score).toBeGreaterThanOrEqual(
          score,
        );
      expect(Math.abs(factors.reduce((sum, { contribution }) => sum + contribution, 0) - score)).toBeLessThanOrEqual(
        0.5001,
      );
    }),
  );
});
