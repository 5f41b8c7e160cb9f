import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import { DAY_MS } from '#shared/platform/runtime/clock.ts';
import { startWork } from '../support/applications.ts';
import { findingDraft } from '../support/findings.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { finished } from '../support/wait.ts';

const system = startSystem();
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

type Made = { facts: { sections: Record<string, unknown> }; document: { title: string; sections: Section[] } };
type Section = { id: string; blocks: { block: string; text?: string; rows?: unknown[][]; total?: number }[] };

/** Makes a report, and reads its facts and its document. */
async function make({ admin }: Pick<TestOrganization, 'admin'>, body: object): Promise<Made & { id: string }> {
  const { taskId, resource } = await admin.ok('generateReport', { body: body as never });
  const { status, error } = await finished(admin, taskId);
  expect({ status, error }).toEqual({ status: 'succeeded', error: undefined });
  const id = resource?.id ?? '';
  return { id, ...JSON.parse(await fileOf({ admin }, id, { format: 'json' })) };
}

async function fileOf({ admin }: Pick<TestOrganization, 'admin'>, id: string, query: object): Promise<string> {
  const { url } = await admin.ok('getReportFile', { params: { id }, query: query as never });
  return (await fetch(url)).text();
}

/** Findings of all ages and states, one of them with a title that a spreadsheet would run. */
async function fill(organization: TestOrganization): Promise<void> {
  const { admin, table } = organization;
  const { application, link, analyst } = await startWork(organization);
  const shop = await application('Shop');
  const decide = (id: string, body: object) =>
    admin.ok('updateFinding', { params: { id }, body: { reason: 'decided', ...body } as never });
  for (const [n, severity] of (['critical', 'high', 'high', 'medium', 'low', 'critical'] as const).entries()) {
    const days = [2, 40, 100, 200, 20, 12][n] ?? 0;
    const more = { severity, kev: n === 0 ? (true as const) : undefined, dueAt: daysAgo(n === 1 ? 3 : -20) };
    const title = n === 0 ? '=HYPERLINK("http://evil.example")' : `problem ${n}`;
    const { id, asset } = await table.create(findings, findingDraft(daysAgo(days), { title, ...more }));
    if (n === 2) await decide(id, { status: 'risk_accepted', acceptedUntil: daysAgo(-10) });
    if (n === 3) await decide(id, { status: 'fixed' });
    if (n === 0) await link(shop, asset.id).catch(() => undefined);
  }
  await analyst.ok('listFindings');
}

/** Every number with a list, wherever it is in the facts. */
function figuresIn(value: unknown, path = ''): { path: string; value: number; list: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const { value: number, list } = value as { value?: unknown; list?: unknown };
  if (typeof number === 'number' && typeof list === 'string') return [{ path, value: number, list }];
  return Object.entries(value).flatMap(([name, inner]) => figuresIn(inner, `${path}.${name}`));
}

test('every number of an executive report is the number of records in its list, and links to it', async () => {
  const organization = await system.newOrganization();
  await fill(organization);
  const { facts, document } = await make(organization, { kind: 'executive' });
  const figures = figuresIn(facts.sections);
  expect(figures.length).toBeGreaterThan(60);
  const wrong = [];
  for (const { path, value, list } of figures) {
    const { status, body } = await organization.admin.send('GET', list, { query: { paginateSize: 1 } });
    const { totalCount } = Object(body);
    if (status !== 200 || totalCount !== value) wrong.push({ path, value, list, status, totalCount });
  }
  expect(wrong).toEqual([]);
  const links = new Set(
    [...JSON.stringify(document).matchAll(/open\?list=([^"]*)/g)].map(([, list = '']) => decodeURIComponent(list)),
  );
  // what the score and the decisions are computed from is shown by these alone
  const computed = /^\.summary\.findings\.(critical|high|medium|low|info|all|acceptedEnding)$|^\.summary\.assets\./;
  expect(figures.filter(({ path, list }) => !links.has(list) && !computed.test(path))).toEqual([]);
  const most = new Set(figures.filter(({ value }) => value > 0).map(({ path }) => path.split('.')[1]));
  expect([...most].sort()).toEqual(['accepted', 'ages', 'compliance', 'exploited', 'proof', 'summary', 'trend'].sort());
});

test('every kind of report has its files in each format and language', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  await fill(organization);
  const [shop] = (await admin.ok('listApplications')).data;
  const { id: teamId } = await admin.ok('createTeam', { body: { name: 'Shop' } });
  const about: Record<string, object> = { application: { applicationId: shop?.id }, team: { teamId } };
  const kinds = ['executive', 'technical', 'application', 'team', 'compliance', 'accepted_risks', 'remediation_plan'];
  for (const kind of [...kinds, 'sbom_vex']) {
    const { id, document } = await make(organization, {
      kind,
      language: kind === 'team' ? 'de' : 'fr',
      ...about[kind],
    });
    const { tables } = await admin.ok('getReport', { params: { id } });
    expect(tables.length).toBeGreaterThan(0);
    for (const { id: table, rows } of tables) {
      const [head, ...records] = parse(await fileOf(organization, id, { format: 'csv', table }));
      expect({ table, rows: records.length, columns: head?.length ?? 0 }).toEqual({
        table,
        rows,
        columns: expect.any(Number),
      });
    }
    expect((await fileOf(organization, id, { format: 'pdf' })).slice(0, 5)).toBe('%PDF-');
    expect(await fileOf(organization, id, { format: 'html' })).toContain('<!doctype html>');
    expect((await fileOf(organization, id, { format: 'xlsx' })).slice(0, 2)).toBe('PK');
    expect(JSON.stringify(document)).not.toMatch(/\{\w+\}|undefined|NaN/);
  }
});

test('a decision names the owners of its assets and the next date on which something is due', async () => {
  const organization = await system.newOrganization();
  const { admin, table } = organization;
  const owner = await organization.person('analyst');
  const { name } = await admin.ok('getUser', { params: { id: owner.id } });
  const { id, type } = await admin.ok('createAsset', {
    body: { type: 'host', value: 'db.example.com', ownerId: owner.id },
  });
  const asset = { id, type, name: 'db.example.com', zone: null };
  const dueAt = daysAgo(-5);
  await table.create(findings, findingDraft(daysAgo(2), { asset, severity: 'critical', kev: true, dueAt }));
  await table.create(findings, findingDraft(daysAgo(30), { asset, severity: 'high', dueAt: daysAgo(3) }));
  const { document } = await make(organization, { kind: 'executive' });
  const decisions = document.sections[0]?.blocks.find(({ block }) => block === 'decisions');
  const [exploited, overdue] = Object(decisions).decisions;
  expect(exploited).toMatchObject({ owner: name, dueDate: dueAt.slice(0, 10) });
  // nothing overdue has a date ahead: two weeks to decide
  expect(overdue).toMatchObject({ owner: name, dueDate: daysAgo(-14).slice(0, 10) });
});

test('each tile has the course of its figure over the reports about the same', async () => {
  const organization = await system.newOrganization();
  const { table } = organization;
  await table.create(findings, findingDraft(daysAgo(2), { severity: 'critical' }));
  const sparksOf = async () => {
    const { document } = await make(organization, { kind: 'executive' });
    const { tiles } = Object(document.sections[0]?.blocks.find(({ block }) => block === 'tiles'));
    return tiles.map(({ spark }: { spark: number[] }) => spark.length);
  };
  expect(await sparksOf()).toEqual([1, 1, 1, 1, 1, 1]);
  await table.create(findings, findingDraft(daysAgo(1), { severity: 'critical' }));
  expect(await sparksOf()).toEqual([2, 2, 2, 2, 2, 2]);
});

test('a title that a spreadsheet would run stays a text', async () => {
  const organization = await system.newOrganization();
  await fill(organization);
  const { id } = await make(organization, { kind: 'technical' });
  const csv = await fileOf(organization, id, { format: 'csv', table: 'findings' });
  expect(csv).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
});
