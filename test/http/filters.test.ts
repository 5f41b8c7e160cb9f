import { describe, expect, test } from 'vitest';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { FILTERED_ENTITIES } from '#shared/platform/filter/filter.ts';
import { inSeconds, now } from '#shared/platform/runtime/clock.ts';
import type { Draft } from '#shared/platform/table/table.ts';
import { findingDraft } from '../support/findings.ts';
import { startSystem } from '../support/system.ts';
import { finished, until } from '../support/wait.ts';

const system = startSystem();

/** An organization with four findings, by their titles. */
async function withFindings() {
  const organization = await system.newOrganization();
  const analyst = await organization.withRole('analyst');
  const drafts: Partial<Draft<StoredFinding>>[] = [
    { title: 'log4j on shop', severity: 'critical', tool: 'Trivy', cves: ['CVE-2021-44228'], kev: true, epss: 0.97 },
    { title: 'openssl on shop', severity: 'high', tool: 'Trivy', tags: ['internet'], epss: 0.1 },
    { title: 'sql in orders', severity: 'high', tool: 'semgrep', ref: 'main' },
    { title: 'weak cipher', severity: 'low', tool: 'testssl', status: 'fixed' },
  ];
  for (const draft of drafts) await organization.table.create(findings, findingDraft(now(), draft));
  const titles = async (query: object) =>
    (await analyst.ok('listFindings', { query: query as never })).data.map(({ title }) => title).sort();
  return { organization, analyst, titles };
}

describe('filters of lists', () => {
  test.each([
    ['severity:critical,HIGH', ['log4j on shop', 'openssl on shop', 'sql in orders']],
    ['tool:trivy', ['log4j on shop', 'openssl on shop']],
    ['-tool:trivy', ['sql in orders', 'weak cipher']],
    ['kev:true OR tag:internet', ['log4j on shop', 'openssl on shop']],
    ['-(kev:true OR tag:internet) status:open', ['sql in orders']],
    ['epss>0.1', ['log4j on shop']],
    ['epss>=0.1', ['log4j on shop', 'openssl on shop']],
    ['branch:*', ['sql in orders']],
    ['-branch:*', ['log4j on shop', 'openssl on shop', 'weak cipher']],
    ['due<1y', ['log4j on shop', 'openssl on shop', 'sql in orders']],
    ['firstSeen:1d -log4', ['openssl on shop', 'sql in orders', 'weak cipher']],
    ['"sql orders"', ['sql in orders']],
    ['src/other/orders.ts:99', ['log4j on shop', 'openssl on shop', 'sql in orders', 'weak cipher']],
    ['priority>100', []],
  ])('%s', async (filter, expected) => {
    const { titles } = await shared;
    expect(await titles({ filter })).toEqual(expected);
  });

  const shared = withFindings();

  test('combine with other parameters, with the JSON form and with an order', async () => {
    const { titles, analyst } = await shared;
    expect(await titles({ filter: 'tool:trivy', severity: 'critical' })).toEqual(['log4j on shop']);
    const json = JSON.stringify({ not: { field: 'tool', operator: 'equals', value: 'trivy' } });
    expect(await titles({ filter: json })).toEqual(['sql in orders', 'weak cipher']);
    const { data } = await analyst.ok('listFindings', { query: { filter: 'tool:trivy', sort: 'epss' } });
    expect(data.map(({ epss }) => epss)).toEqual([0.97, 0.1]);
  });

  test.each([
    [{ status: 'open,in_progress' }, 'status:open,in_progress'],
    [{ tool: 'TRIVY', severity: 'high' }, 'tool:TRIVY severity:high'],
    [{ kev: 'true' }, 'kev:true'],
    [{ epssFrom: '0.1' }, 'epss:0.1..'],
    [{ cve: 'cve-2021-44228' }, 'cve:cve-2021-44228'],
    [{ assigneeId: 'none' }, 'assignee:none'],
    [{ ref: 'refs/heads/main' }, 'branch:refs/heads/main'],
    [{ overdue: 'true' }, 'due<0d'],
    [{ firstSeenFrom: '2026-01-01' }, 'firstSeen>=2026-01-01'],
    [{ firstSeenTo: '2026-01-01' }, 'firstSeen<=2026-01-01'],
    [{ tag: 'internet' }, 'tag:internet'],
  ])('the parameters %j are the short form of %s', async (parameters, filter) => {
    const { titles } = await shared;
    expect(await titles({ filter })).toEqual(await titles(parameters));
  });

  test('a filter that is wrong is refused with its column', async () => {
    const { analyst } = await shared;
    const answer = await analyst.call('listFindings', { query: { filter: 'kev:true sevrity:high' } });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'validation_failed',
        details: [
          {
            path: 'filter',
            message: expect.stringMatching(/^column 10: sevrity is no field: did you mean severity\?/),
          },
        ],
      },
    });
    const broken = await analyst.call('listFindings', { query: { filter: '{"all": []}' } });
    expect(broken).toMatchObject({ status: 400, body: { details: [{ path: 'filter.all' }] } });
  });

  test('select the records of bulk changes and exports', async () => {
    const { analyst, titles } = await withFindings();
    const body = { filter: { filter: 'tool:trivy -kev:true' }, changes: { addTags: ['checked'] } };
    const { taskId } = await analyst.ok('updateFindings', { body });
    expect((await finished(analyst, taskId ?? '')).result).toMatchObject({ matched: 1, changed: 1 });
    expect(await titles({ filter: 'tag:checked' })).toEqual(['openssl on shop']);
    const exported = await analyst.ok('exportFindings', { body: { format: 'csv', filter: { filter: 'tag:checked' } } });
    expect((await finished(analyst, exported.taskId ?? '')).result).toMatchObject({ findings: 1 });
  });
});

test('select applications and engagements by their people, tags and days', async () => {
  const { admin } = await system.newOrganization();
  const me = (await admin.ok('listServiceAccounts')).data[0]?.id;
  const application = { criticality: 'high', ownerId: me, tags: ['Pci'], dataClassification: 'Secret' };
  await admin.ok('createApplication', { body: { name: 'Shop', ...application } as never });
  await admin.ok('createApplication', { body: { name: 'Blog' } as never });
  const applicationsOf = async (filter: string) =>
    (await admin.ok('listApplications', { query: { filter } })).data.map(({ name }) => name);
  expect(await applicationsOf('tag:PCI owner:me dataClassification:secret criticality:high')).toEqual(['Shop']);
  expect(await applicationsOf('owner:none dataClassification:none OR -tag:pci')).toEqual(['Blog']);
  expect(await applicationsOf('dataClassification:*')).toEqual(['Shop']);

  const target = { type: 'host', value: '192.0.2.1' };
  const engagement = { kind: 'vulnerability_scan', targets: [target], taskTypes: ['network'] };
  await admin.ok('createEngagement', { body: { ...engagement, title: 'first', tags: ['Q4'], leadId: me } as never });
  await admin.ok('createEngagement', { body: { ...engagement, title: 'second', dueAt: inSeconds(86_400) } as never });
  const engagementsOf = async (filter: string) =>
    (await admin.ok('listEngagements', { query: { filter } })).data.map(({ title }) => title);
  expect(await engagementsOf('tag:q4 lead:me kind:vulnerability_scan')).toEqual(['first']);
  expect(await engagementsOf('due:7d lead:none')).toEqual(['second']);
  expect(await engagementsOf('-tag:q4')).toEqual(['second']);
});

describe('lists in the order of time', () => {
  test('tasks are listed by a filter, also by a saved one', async () => {
    const { admin, withRole } = await system.newOrganization();
    const analyst = await withRole('analyst');
    await admin.ok('createFinding', {
      body: { title: 'x', severity: 'low', asset: { type: 'host', value: 'web-1' } },
    });
    const rule = { name: 'x', condition: 'type:host', tags: ['x'] };
    const { taskId } = await admin.ok('createAssetTagRule', { body: rule });
    const update = await analyst.ok('updateFindings', {
      body: { filter: { filter: 'severity:low' }, changes: { addTags: ['y'] } },
    });
    for (const task of [taskId, update.taskId ?? '']) await finished(admin, task);
    const listed = async (query: object) => (await admin.ok('listTasks', { query })).data.map((task) => task.id);
    const own = async (filter: string) =>
      (await analyst.ok('listTasks', { query: { filter } })).data.map((task) => task.id);
    const all = (await admin.ok('listTasks', {})).data;
    for (const { id } of all) await finished(admin, id);
    expect(await listed({ filter: 'status:succeeded created:1d finished:1d' })).toEqual(all.map((task) => task.id));
    expect(await listed({ filter: '-operation:apply_asset_rules by:*' })).not.toContain(taskId);
    expect(await listed({ filter: 'operation:apply_asset_rules' })).toEqual([taskId]);
    expect(await own('by:me')).toEqual([update.taskId]);
    expect(await listed({ filter: 'status:failed OR created<2026-01-01' })).toEqual([]);
    const saved = { name: 'mine', entity: 'task', filter: 'by:me operation:update_findings' } as const;
    const { id: filterId } = await analyst.ok('createSavedFilter', { body: saved });
    expect((await analyst.ok('listTasks', { query: { filterId } })).data).toMatchObject([{ id: update.taskId }]);
    expect(await admin.call('listTasks', { query: { filter: 'staus:failed' } })).toMatchObject({
      body: { details: [{ path: 'filter', message: expect.stringMatching(/column 1: .*did you mean status/) }] },
    });
  });

  test('the audit log is read by a filter, and only by those who read the log', async () => {
    const { admin, withRole } = await system.newOrganization();
    const analyst = await withRole('analyst');
    const { id } = await admin.ok('createFinding', {
      body: { title: 'x', severity: 'low', asset: { type: 'host', value: 'web-1' } },
    });
    const params = { id };
    await analyst.ok('updateFinding', { params, body: { severity: 'high' } });
    await admin.ok('updateFinding', { params, body: { status: 'in_progress' } });
    const read = (filter: string) => admin.ok('listAudit', { query: { filter } });
    const changed = await until(
      async () => (await read('entity:finding kind:updated')).data,
      ({ length }) => length === 2,
    );
    const [started, rated] = changed;
    const numbers = async (filter: string) => (await read(filter)).data.map(({ number }) => number);
    expect(await numbers(`record:${id} kind:updated field:severity`)).toEqual([rated?.number]);
    expect(await numbers('entity:finding kind:updated -field:severity')).toEqual([started?.number]);
    expect(await numbers('actor:me kind:updated entity:finding at:1d')).toEqual([started?.number]);
    expect(await numbers('operation:updateFinding at<2026-01-01')).toEqual([]);
    expect(await analyst.call('checkFilter', { body: { entity: 'audit', filter: 'kind:refused' } })).toMatchObject({
      status: 401,
    });
  });
});

describe('what helps to write filters', () => {
  test('a check explains both forms, the count and the cost', async () => {
    const { analyst } = await withFindings();
    const filter = {
      all: [
        { field: 'tool', operator: 'equals', value: 'Trivy' },
        { not: { field: 'kev', operator: 'equals', value: 'true' } },
      ],
    };
    const explained = { filter, text: 'tool:Trivy -kev:true', count: 1, cost: { values: 2, blocks: 1 } };
    expect(await analyst.ok('checkFilter', { body: { entity: 'finding', filter: 'tool:Trivy -kev:true' } })).toEqual(
      explained,
    );
    expect(await analyst.ok('checkFilter', { body: { entity: 'finding', filter } as never })).toEqual(explained);
  });

  test.each(FILTERED_ENTITIES)('each field of %s has an example that its list takes', async (entity) => {
    const { admin } = (await shared).organization;
    for (const { example, name, operators, inRules } of await admin.ok('listFilterFields', { query: { entity } })) {
      const body = { entity, filter: example };
      if (operators.length === 0) {
        expect(inRules).not.toEqual([]);
        expect(await admin.call('checkFilter', { body })).toMatchObject({
          status: 400,
          body: { message: expect.stringMatching(/: leave it out, or search for words$/) },
        });
        continue;
      }
      const { text, count } = await admin.ok('checkFilter', { body });
      expect({ name, text, count, operators }).toMatchObject({
        count: ['task', 'audit', 'delivery'].includes(entity) ? null : expect.any(Number),
        text: expect.stringContaining(example),
      });
    }
  });
  const shared = withFindings();

  test('values come with their counts, of fields with few values and of others', async () => {
    const { analyst } = await shared;
    const values = (field: string, search?: string) =>
      analyst.ok('listFilterValues', { query: { entity: 'finding', field, ...(search && { search }) } });
    expect((await values('severity')).slice(0, 3)).toEqual([
      { value: 'high', count: 2 },
      { value: 'critical', count: 1 },
      { value: 'low', count: 1 },
    ]);
    expect(await values('tool', 'TR')).toEqual([{ value: 'trivy', count: 2 }]);
    const refused = await analyst.call('listFilterValues', { query: { entity: 'finding', field: 'nonsense' } });
    expect(refused.status).toBe(400);
  });

  test('a field of which no index has the records without a value says so', async () => {
    const { analyst } = await shared;
    for (const filter of ['member:*', 'member:me,none'])
      expect((await analyst.call('checkFilter', { body: { entity: 'incident', filter } })).body).toMatchObject({
        details: [{ message: 'column 1: member: no index has the records without a value: name values' }],
      });
  });

  test('a key filters only what it may list', async () => {
    const { organization } = await shared;
    const key = await organization.apiKey(['findings:read']);
    const answer = await key.call('checkFilter', { body: { entity: 'alert', filter: 'status:new' } });
    expect(answer).toMatchObject({ status: 401, body: { code: 'insufficient_scope' } });
  });
});

describe('saved filters', () => {
  test('are used by their ids, seen by their creators, and by all once they are shared', async () => {
    const { organization, analyst, titles } = await withFindings();
    const body = { name: 'urgent', entity: 'finding' as const, filter: 'severity:critical,high -tool:semgrep' };
    const saved = await analyst.ok('createSavedFilter', { body });
    expect(saved).toMatchObject({ ...body, columns: [], sort: null, visibility: 'private' });
    expect(await titles({ filterId: saved.id })).toEqual(['log4j on shop', 'openssl on shop']);
    expect(await titles({ filterId: saved.id, filter: 'kev:true' })).toEqual(['log4j on shop']);

    const other = await organization.withRole('analyst');
    const params = { id: saved.id };
    expect((await other.ok('listSavedFilters', {})).totalCount).toBe(0);
    expect((await other.call('getSavedFilter', { params })).body).toMatchObject({ code: 'not_found' });
    expect((await other.call('listFindings', { query: { filterId: saved.id } })).body).toMatchObject({
      code: 'validation_failed',
    });

    await analyst.ok('updateSavedFilter', { params, body: { visibility: 'shared', filter: 'kev:true' } });
    expect((await other.ok('listSavedFilters', { query: { entity: 'finding' } })).data).toMatchObject([
      { name: 'urgent' },
    ]);
    expect((await other.ok('listFindings', { query: { filterId: saved.id } })).totalCount).toBe(1);
    expect((await other.call('updateSavedFilter', { params, body: { name: 'x' } })).body).toMatchObject({
      code: 'conflict',
    });
    expect((await other.call('deleteSavedFilter', { params })).body).toMatchObject({ code: 'conflict' });
    await analyst.ok('deleteSavedFilter', { params });
    expect((await analyst.ok('listSavedFilters', {})).totalCount).toBe(0);
  });

  test('a filter that is wrong, or of other records, is not saved and not used', async () => {
    const { analyst } = await withFindings();
    const save = (entity: 'asset' | 'finding', filter: string) =>
      analyst.call('createSavedFilter', { body: { name: 'x', entity, filter } });
    expect(await save('asset', 'severity:high')).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    const asset = await analyst.ok('createSavedFilter', { body: { name: 'x', entity: 'asset', filter: 'type:host' } });
    const used = await analyst.call('listFindings', { query: { filterId: asset.id } });
    expect(used.body).toMatchObject({
      details: [{ path: 'filterId', message: 'is a filter of asset and not of finding' }],
    });
  });
});
