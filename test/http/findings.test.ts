import { beforeAll, describe, expect, test } from 'vitest';
import { CLOSING_REASONS } from '#shared/findings/closing/closing-code.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { factorsOf } from '#shared/findings/priority/priority.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import type { Client } from '../support/client.ts';
import { findingDraft } from '../support/findings.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

const system = startSystem();
const seen = '2026-01-05T08:00:00.000Z';
let organization: TestOrganization;
let analyst: Client;
beforeAll(async () => {
  organization = await system.newOrganization();
  analyst = await organization.withRole('analyst');
});

const make = (fields: Partial<StoredFinding> = {}, { table } = organization) =>
  table.create(findings, findingDraft(seen, fields));
const update = (id: string, body: object, client = analyst) => client.call('updateFinding', { params: { id }, body });
const read = (id: string) => analyst.ok('getFinding', { params: { id } });

describe('an analyst reads', () => {
  test('a complete finding, without internal fields', async () => {
    const { id, fingerprint, taskId, asset, createdAt, updatedAt, createdBy } = await make({ engagementId: newId() });
    const finding = await read(id);
    expect(finding).toEqual({
      id,
      version: 1,
      createdAt,
      updatedAt,
      createdBy,
      title: 'SQL built from input',
      severity: 'high',
      severityOverridden: false,
      toolSeverity: null,
      status: 'open',
      reopenedCount: 0,
      priority: 39,
      priorityFactors: factorsOf({ severity: 'high' }),
      ssvc: null,
      cves: [],
      cwes: ['CWE-89'],
      cvssScore: null,
      cvssVector: null,
      epss: null,
      kev: false,
      asset,
      location: 'src/orders.ts:12',
      locationDetail: { path: 'src/orders.ts', line: 12 },
      otherLocations: [],
      component: null,
      ref: null,
      tool: 'semgrep',
      ruleId: 'sql-injection',
      assignee: null,
      assigneeId: null,
      dueChosen: false,
      firstSeenAt: seen,
      lastSeenAt: seen,
      dueAt: '2026-02-04T08:00:00.000Z',
      occurrences: 1,
      tags: [],
      description: null,
      evidence: [],
      evidenceFiles: 0,
      mergedFrom: [],
      remediationIds: [],
      references: [],
      remediation: null,
      fingerprint,
      fingerprintVersion: 1,
      acknowledgedAt: null,
      fixedAt: null,
      whyOpen: { scan: null, missing: 'not_in_scope', message: CLOSING_REASONS.not_in_scope },
      acceptedUntil: null,
      restartSla: false,
      follows: [],
      statusReason: null,
      acceptance: null,
      suppressedBy: null,
      taskId,
      engagementId: finding.engagementId,
      links: {
        asset: `/api/v1/assets/${asset.id}`,
        task: `/api/v1/tasks/${taskId}`,
        engagement: `/api/v1/validation-operations/engagements/${finding.engagementId}`,
      },
    });
  });

  test('lists, newest first, filtered by status, severity, asset and engagement', async () => {
    const own = await system.newOrganization();
    const client = await own.withRole('viewer');
    const engagementId = newId();
    const asset = { id: newId(), type: 'host' as const, name: 'web-1', zone: 'plant' };
    const made: StoredFinding[] = [];
    for (const fields of [
      { severity: 'critical' as const, asset },
      { severity: 'low' as const, asset, engagementId },
      { severity: 'critical' as const, status: 'in_progress' as const, engagementId },
    ])
      made.push(await make(fields, own));
    const [first, second, third] = made.map(({ id }) => id);
    const ids = async (query: object) => (await client.ok('listFindings', { query })).data.map(({ id }) => id);
    expect(await ids({})).toEqual([third, second, first]);
    expect(await ids({ severity: 'critical' })).toEqual([third, first]);
    expect(await ids({ severity: 'critical', status: 'open' })).toEqual([first]);
    expect(await ids({ assetId: asset.id })).toEqual([second, first]);
    expect(await ids({ assetId: asset.id, severity: 'low', status: 'open' })).toEqual([second]);
    expect(await ids({ engagementId })).toEqual([third, second]);
    expect(await ids({ paginateFrom: 1, paginateSize: 1 })).toEqual([second]);
    expect(await ids({ engagementId, assetId: asset.id })).toEqual([second]);
    expect(await ids({ severity: ['critical', 'low'], status: ['open'] })).toEqual([second, first]);
    expect(await ids({ severity: ['critical', 'low'], engagementId, assigneeId: 'none' })).toEqual([third, second]);
    expect(await ids({ tool: 'no such tool' })).toEqual([]);
    const wrong = await client.send('GET', '/api/v1/findings', { query: { severity: 'high,hihg' } });
    expect(wrong).toMatchObject({ status: 400, body: { details: [{ path: 'severity.1' }] } });
    expect(JSON.stringify(wrong.body)).not.toContain('is required');
    const item = (await client.ok('listFindings', { query: { assetId: asset.id } })).data[0];
    expect(item?.asset).toEqual(asset);
    expect(item).not.toHaveProperty('evidence');
  });

  test('findings by the beginnings of words of CVE, asset and rule', async () => {
    const { id } = await make({ cves: ['CVE-2021-23017'], ruleId: 'nginx-resolver' });
    const search = async (words: string) =>
      (await analyst.ok('searchFindings', { query: { search: words } })).data.map((one) => one.id);
    expect(await search('cve-2021-23')).toEqual([id]);
    expect(await search('NGINX shop')).toEqual([id]);
    expect(await search('apache')).toEqual([]);
  });
});

describe('an analyst decides', () => {
  test('and the finding, its counters and its history show the decision', async () => {
    const own = await system.newOrganization();
    const client = await own.withRole('analyst');
    const { id } = await make({}, own);
    const body = { status: 'in_progress' as const, severity: 'critical' as const, reason: 'seen in production' };
    const answer = await update(id, body, client);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        status: 'in_progress',
        severity: 'critical',
        priority: 51,
        statusReason: 'seen in production',
        version: 2,
      },
    });
    expect(await client.ok('getFinding', { params: { id } })).toEqual(answer.body);
    expect(await own.table.facets(findings)).toMatchObject({
      'status:open': 0,
      'status:in_progress': 1,
      'open:critical': 1,
    });
    const [entry, ...others] = await client.ok('listFindingHistory', { params: { id } });
    expect(others).toEqual([]);
    expect(entry).toEqual({
      version: 2,
      at: expect.any(String),
      by: expect.objectContaining({ name: 'analyst' }),
      changes: {
        status: { from: 'open', to: 'in_progress' },
        severity: { from: 'high', to: 'critical' },
        priority: { from: 39, to: 51 },
        dueAt: { from: '2026-02-04T08:00:00.000Z', to: '2026-01-12T08:00:00.000Z' },
        statusReason: { from: null, to: 'seen in production' },
      },
      reason: 'seen in production',
      scanTaskId: null,
      vulnerabilityIds: [],
      taskId: null,
    });
    expect((await verify(own.table, findings)).differences).toEqual([]);
  });

  test('a status that cannot follow is refused with the permitted ones, and nothing changes', async () => {
    const { id } = await make({ status: 'fixed', fixedAt: seen });
    const before = await read(id);
    expect(await update(id, { status: 'risk_accepted' })).toMatchObject({
      status: 400,
      body: {
        code: 'conflict',
        message: 'A finding that is fixed cannot become risk_accepted; it can become open, in_progress.',
        details: [{ path: 'status' }],
      },
    });
    expect(await read(id)).toEqual(before);
    expect(await analyst.ok('listFindingHistory', { params: { id } })).toEqual([]);
  });

  test('a finding can be read, edited and sent back whole; an empty patch changes nothing', async () => {
    const { id } = await make();
    const before = await read(id);
    expect(await update(id, {})).toMatchObject({ status: 200, body: before });
    const edited = { ...before, tags: ['pci'], dueAt: '2026-03-01T00:00:00+01:00' };
    const after = await update(id, edited);
    expect(after).toMatchObject({
      status: 200,
      body: { tags: ['pci'], dueAt: '2026-02-28T23:00:00.000Z', version: 2 },
    });
    expect(await update(id, { version: 1, tags: [] })).toMatchObject({
      status: 400,
      body: { code: 'conflict', current: { version: 2 } },
    });
    expect(await update(id, { title: 'mine' })).toMatchObject({ status: 400, body: { code: 'read_only' } });
    expect(await update(id, { severity: 'grave' })).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(await update(id, { colour: 'red' })).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  test('an assignee is set by id and named in lists; an unknown one is refused', async () => {
    const { id } = await make();
    const { data } = await organization.admin.ok('listServiceAccounts', { query: {} });
    const account = data.find(({ role }) => role === 'analyst');
    const answer = await update(id, { assigneeId: account?.id });
    expect(answer).toMatchObject({
      status: 200,
      body: { assignee: { id: account?.id, name: 'analyst' }, assigneeId: account?.id, status: 'in_progress' },
    });
    expect(await update(id, { assigneeId: newId() })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    });
    expect(await update(id, { assigneeId: null })).toMatchObject({
      status: 200,
      body: { assignee: null, assigneeId: null, status: 'open' },
    });
    const [given, taken] = await analyst.ok('listFindingHistory', { params: { id } });
    expect([given?.changes.status, taken?.changes.status]).toEqual([
      { from: 'in_progress', to: 'open' },
      { from: 'open', to: 'in_progress' },
    ]);
    expect(await update(id, { assigneeId: account?.id, status: 'open' })).toMatchObject({
      status: 200,
      body: { assigneeId: account?.id, status: 'open' },
    });
  });

  test('simultaneous decisions are all kept', async () => {
    const { id } = await make();
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((tag) => update(id, { tags: [tag], reason: tag })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const history = await analyst.ok('listFindingHistory', { params: { id } });
    expect(history.map(({ version }) => version)).toEqual([5, 4, 3, 2]);
    expect(new Set(history.map(({ reason }) => reason))).toEqual(new Set(['a', 'b', 'c', 'd']));
  });
});

test('reading and writing need separate scopes, and findings of other organizations are not found', async () => {
  const { id } = await make();
  const reader = await organization.apiKey(['findings:read']);
  expect(await update(id, { tags: [] }, reader)).toMatchObject({ status: 401, body: { code: 'insufficient_scope' } });
  const writer = await organization.apiKey(['findings:write']);
  expect(await update(id, { tags: ['x'] }, writer)).toMatchObject({ status: 200 });
  const stranger = (await system.newOrganization()).admin;
  for (const answer of [
    await stranger.call('getFinding', { params: { id } }),
    await stranger.call('listFindingHistory', { params: { id } }),
    await update(id, { tags: [] }, stranger),
  ])
    expect(answer).toMatchObject({ status: 400, body: { code: 'not_found' } });
});

test('tags are added to and removed from one finding, as from many', async () => {
  const { id } = await make({ tags: ['web', 'old'], fingerprint: 'tagged' });
  const { body } = await update(id, { addTags: ['pci', 'web'], removeTags: ['old', 'unknown'] });
  expect(body).toMatchObject({ tags: ['web', 'pci'], version: 2 });
  expect((await update(id, { addTags: ['pci'], removeTags: null })).body).toMatchObject({ version: 2 });
  const many = Array.from({ length: 30 }, (_, n) => `tag-${n}`);
  expect(await update(id, { addTags: many })).toMatchObject({ status: 400, body: { details: [{ path: 'addTags' }] } });
});
