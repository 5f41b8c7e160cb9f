import { expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { branches } from '#shared/findings/branches/branch.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { analyst, organization, withAnalyst } from '../support/analyst.ts';
import { findingDraft } from '../support/findings.ts';
import { expectExact } from '../support/verify.ts';

withAnalyst();

const shop = { type: 'url', value: 'https://Shop.example.com' } as const;
const body = { title: 'Reset tells who has an account', severity: 'low', asset: shop } as const;
const create = (more: object = {}) => analyst.call('createFinding', { body: { ...body, ...more } as never });
const make = async (more: object = {}) => analyst.ok('createFinding', { body: { ...body, ...more } as never });
const count = async () => (await analyst.ok('listFindings', { query: {} })).totalCount;

test('a tester writes a finding that has an asset, a score, a date and an order like any other', async () => {
  const finding = await make({
    description: 'The page says “unknown address”.',
    locationDetail: { url: 'https://shop.example.com/reset' },
    cves: ['cve-2021-44228'],
    cwes: ['CWE-204'],
    cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
    evidence: [{ kind: 'http', content: 'POST /reset HTTP/1.1' }],
    references: ['https://owasp.org/reset'],
    remediation: 'Give one answer to all.',
    tags: ['pentest'],
  });
  expect(finding).toMatchObject({
    status: 'open',
    tool: 'manual',
    ruleId: 'manual',
    taskId: null,
    engagementId: null,
    version: 1,
    cves: ['CVE-2021-44228'],
    cvssScore: 5.3,
    priority: 21,
    location: 'https://shop.example.com/reset',
    asset: { type: 'url', name: 'https://shop.example.com/', zone: null },
    createdBy: { name: 'analyst' },
    links: { asset: `/api/v1/assets/${finding.asset.id}` },
    occurrences: 1,
  });
  expect(Date.parse(finding.dueAt ?? '') - Date.parse(finding.firstSeenAt)).toBe(180 * 86_400_000);
  expect(await analyst.ok('getFinding', { params: { id: finding.id } })).toEqual(finding);
  const found = await analyst.ok('searchFindings', { query: { search: 'cve-2021-44228' } });
  expect(found.data.map(({ id }) => id)).toEqual([finding.id]);
  const again = await make({ asset: undefined, assetId: finding.asset.id });
  expect(again.asset).toEqual(finding.asset);
  expect(again.fingerprint).not.toBe(finding.fingerprint);
  await expectExact(organization.table, [findings, assets]);
});

test('one that is assigned when it is written is in progress, and a date that was chosen stays', async () => {
  const { data } = await organization.admin.ok('listServiceAccounts', { query: {} });
  const finding = await make({ assigneeId: data[0]?.id, dueAt: '2030-01-01T00:00:00Z' });
  expect(finding).toMatchObject({ status: 'in_progress', assigneeId: data[0]?.id, dueChosen: true });
  expect(finding.acknowledgedAt).not.toBeNull();
});

test.each([
  ['neither an asset nor its id', { asset: undefined }, 'asset'],
  ['both', { assetId: newId() }, 'asset'],
  ['an unknown asset', { asset: undefined, assetId: newId() }, 'assetId'],
  ['a range', { asset: { type: 'cidr', value: '10.0.0.0/24' } }, 'asset.type'],
  ['a host that is none', { asset: { type: 'host', value: 'no host' } }, 'asset.value'],
  ['a vector that is none', { cvssVector: 'CVSS:3.1/AV:N' }, 'cvssVector'],
  ['a branch of something without branches', { ref: 'main' }, 'ref'],
  ['an unknown assignee', { assigneeId: newId() }, 'assigneeId'],
  ['a reference that runs in a browser', { references: ['javascript:alert(1)'] }, 'references.0'],
  ['a title that is too long for a row', { title: 'ü'.repeat(150) }, 'title'],
  ['a CVE that is none', { cves: ['log4shell'] }, 'cves.0'],
  ['a field of the server', { fingerprint: 'x' }, 'fingerprint'],
])('%s is refused by name, and nothing is made', async (_, more, path) => {
  const before = [await count(), (await organization.table.facets(assets))['type:url']];
  expect(await create(more)).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path }] } });
  expect([await count(), (await organization.table.facets(assets))['type:url']]).toEqual(before);
});

test('a repeated request with its Idempotency-Key makes one finding', async () => {
  const before = await count();
  const headers = { 'Idempotency-Key': newId() };
  const [one, two] = [
    await analyst.ok('createFinding', { body, headers }),
    await analyst.ok('createFinding', { body, headers }),
  ];
  expect(two.id).toBe(one.id);
  expect(await count()).toBe(before + 1);
});

test('its texts are changed with history, those of a report are not, and may be sent back', async () => {
  const { id, ...made } = await make({ cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N' });
  const update = (patch: object, of = id) =>
    analyst.call('updateFinding', { params: { id: of }, body: patch as never });
  const answer = await update({
    title: 'Reset names accounts',
    cvssVector: null,
    severity: 'high',
    remediation: 'One answer.',
  });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      title: 'Reset names accounts',
      cvssVector: null,
      cvssScore: null,
      severity: 'high',
      priority: 39,
      version: 2,
    },
  });
  expect(await update({ ...made, version: undefined, title: 'x', cwes: ['CWE-1'] })).toMatchObject({ status: 400 });
  expect(await update({ title: '' })).toMatchObject({
    body: { code: 'validation_failed', details: [{ path: 'title' }] },
  });
  expect(await update({ cvssVector: 'none' })).toMatchObject({ body: { details: [{ path: 'cvssVector' }] } });
  const [change] = await analyst.ok('listFindingHistory', { params: { id } });
  expect(change?.changes).toMatchObject({
    title: { from: made.title, to: 'Reset names accounts' },
    severity: { from: 'low', to: 'high' },
  });
  const reported = await organization.table.create(
    findings,
    findingDraft('2026-01-05T08:00:00.000Z', { references: ['see the wiki'] }),
  );
  const whole = await analyst.ok('getFinding', { params: { id: reported.id } });
  expect(await update({ ...whole, tags: ['seen'] }, reported.id)).toMatchObject({
    status: 200,
    body: { tags: ['seen'] },
  });
  expect(await update({ title: 'mine' }, reported.id)).toMatchObject({ body: { code: 'read_only' } });
});

test('it is deleted for good, one of a report is not', async () => {
  const { id } = await make();
  const reported = await organization.table.create(findings, findingDraft('2026-01-05T08:00:00.000Z'));
  expect(await analyst.call('deleteFinding', { params: { id: reported.id } })).toMatchObject({
    status: 400,
    body: { code: 'conflict', message: expect.stringContaining('false_positive') },
  });
  const viewer = await organization.withRole('viewer');
  expect(await viewer.call('deleteFinding', { params: { id } })).toMatchObject({ status: 401 });
  expect(await analyst.ok('deleteFinding', { params: { id } })).toMatchObject({ id });
  expect(await analyst.call('getFinding', { params: { id } })).toMatchObject({ body: { code: 'not_found' } });
  await expectExact(organization.table, [findings]);
});

test('a suppression rule decides on it, and says so in its history', async () => {
  const rule = await analyst.ok('createFindingRule', {
    body: { name: 'Lab', conditions: { host: 'lab.example.com' }, status: 'out_of_scope', reason: 'a laboratory' },
  });
  const { id, status, suppressedBy } = await make({ asset: { type: 'host', value: 'lab.example.com' } });
  expect([status, suppressedBy?.id]).toEqual(['out_of_scope', rule.id]);
  expect(await analyst.ok('listFindingHistory', { params: { id } })).toMatchObject([
    { version: 1, changes: { status: { from: 'open', to: 'out_of_scope' } }, reason: 'a laboratory' },
  ]);
});

test('in a repository it is of the default branch, and no scan closes it', async () => {
  const target = { type: 'repository', value: 'https://git.example.com/acme/pay' } as const;
  const result = { ruleId: 'r', level: 'error', message: { text: 'SQL built from input' } };
  const report = (results: object[]) =>
    analyst.ok('importFindings', {
      query: { waitSeconds: 20 },
      body: {
        target,
        ref: 'main',
        format: 'sarif',
        content: JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'manual' } }, results }] }),
      },
    });
  await report([result]);
  const finding = await make({ asset: target });
  expect(finding.ref).toBe('main');
  expect(await create({ asset: target, ref: 'refs/heads/main' })).toMatchObject({ status: 200, body: { ref: 'main' } });
  expect(await create({ asset: target, ref: 'feature' })).toMatchObject({
    body: { details: [{ path: 'ref', message: 'must be main, or be left out' }] },
  });
  await report([]);
  const { data } = await analyst.ok('listFindings', { query: { assetId: finding.asset.id, ref: 'main' } });
  expect(data.map(({ title, status }) => [title === body.title, status])).toEqual([
    [true, 'open'],
    [true, 'open'],
    [false, 'fixed'],
  ]);
  expect((await organization.table.list(branches, { paginateFrom: 0, paginateSize: 1 })).totalCount).toBe(1);
});
