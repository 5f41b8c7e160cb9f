import { describe, expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { startWork } from '../support/applications.ts';
import { findingDraft } from '../support/findings.ts';
import { startSystem } from '../support/system.ts';
import { finished } from '../support/wait.ts';

const system = startSystem();

describe('a saved filter that rules use', () => {
  test('is copied into them, names them, takes them along when it changes, and is not deleted before', async () => {
    const { table, admin, withRole } = await system.newOrganization();
    const low = await table.create(findings, findingDraft(now(), { severity: 'low' }));
    const high = await table.create(findings, findingDraft(now(), { severity: 'high' }));
    const saved = await admin.ok('createSavedFilter', {
      body: { name: 'noise', entity: 'finding', filter: 'severity:low', visibility: 'shared' },
    });
    const params = { id: saved.id };
    const suppression = { name: 'noise', filterId: saved.id, status: 'out_of_scope', reason: 'noise' } as never;
    const rule = await admin.ok('createFindingRule', { body: suppression });
    await finished(admin, rule.taskId);
    const ticketRule = await admin.ok('createTicketRule', {
      body: { name: 'ticket', opensFor: 'finding', project: 'SEC', filterId: saved.id } as never,
    });
    expect([rule.filter, ticketRule.filter]).toEqual(['severity:low', 'severity:low']);
    const status = async ({ id }: { id: string }) => (await admin.ok('getFinding', { params: { id } })).status;
    expect([await status(low), await status(high)]).toEqual(['out_of_scope', 'open']);

    const usedBy = [
      { type: 'suppression_rule', id: rule.id, name: 'noise' },
      { type: 'ticket_rule', id: ticketRule.id, name: 'ticket' },
    ];
    expect((await admin.ok('listSavedFilters', {})).data).toMatchObject([{ id: saved.id, usedBy }]);
    const preview = await admin.ok('previewSavedFilter', { params, body: { filter: 'severity:high' } });
    expect(preview).toMatchObject({
      begin: { count: 1, ids: [high.id] },
      cease: { count: 1, ids: [low.id] },
      usedBy,
    });
    const listed = await admin.ok('listFindings', { query: { filter: JSON.stringify(preview.begin.filter) } });
    expect(listed.data.map(({ id }) => id)).toEqual(preview.begin.ids);

    const refused = async (operation: 'deleteSavedFilter' | 'updateSavedFilter', body?: object) =>
      (await admin.call(operation, { params, ...(body && { body }) } as never)).body;
    expect(await refused('deleteSavedFilter')).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(rule.id),
    });
    expect(await refused('updateSavedFilter', { visibility: 'private' })).toMatchObject({ code: 'conflict' });
    expect(await refused('updateSavedFilter', { filter: 'status:open' })).toMatchObject({ code: 'validation_failed' });
    const analyst = await withRole('analyst');
    expect((await analyst.call('updateSavedFilter', { params, body: { filter: 'kev:true' } })).body).toMatchObject({
      code: 'conflict',
    });

    const changed = await admin.ok('updateSavedFilter', { params, body: { filter: 'severity:high' } });
    expect(changed).toMatchObject({ filter: 'severity:high', usedBy });
    const { taskId, filter } = await admin.ok('getFindingRule', { params: { id: rule.id } });
    expect(filter).toBe('severity:high');
    await finished(admin, taskId);
    expect([await status(low), await status(high)]).toEqual(['open', 'out_of_scope']);
    expect(await admin.ok('getTicketRule', { params: { id: ticketRule.id } })).toMatchObject({
      filter: 'severity:high',
    });

    const empty = { filterId: null, filter: null } as never;
    for (const answer of [
      await admin.call('updateFindingRule', { params: { id: rule.id }, body: empty }),
      await admin.call('updateTicketRule', { params: { id: ticketRule.id }, body: empty }),
    ])
      expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'conditions' }] } });
    await admin.ok('updateFindingRule', { params: { id: rule.id }, body: { filterId: null } as never });
    await admin.ok('deleteTicketRule', { params: { id: ticketRule.id } });
    expect((await admin.ok('getSavedFilter', { params })).usedBy).toEqual([]);
    await admin.ok('deleteSavedFilter', { params });
    expect(await admin.ok('getFindingRule', { params: { id: rule.id } })).toMatchObject({ filter: 'severity:high' });
  });

  test('is copied into rules about assets, exclusions and exceptions of SLA policies, which follow it', async () => {
    const { organization, analyst, host, application, linked } = await startWork(await system.newOrganization());
    const { admin } = organization;
    const [id] = [
      await application('Shop'),
      await host('web-1', { tags: ['web'] }),
      await host('db-1', { tags: ['db'] }),
    ];
    const save = (name: string, filter: string) =>
      admin.ok('createSavedFilter', { body: { name, entity: 'asset', filter, visibility: 'shared' } });
    await host('lab-1', { tags: ['lab'] });
    const [web, lab] = [await save('web', 'tag:web'), await save('laboratory', 'tag:lab')];
    const params = { id };
    const settled = async (taskId: string | null) => void (await finished(admin, taskId ?? ''));
    const tagRule = { name: 'front', tags: ['front'], filterId: web.id } as never;
    expect(await analyst.ok('previewAssetTagRule', { body: tagRule })).toMatchObject({ matchCount: 1 });
    const tagging = await analyst.ok('createAssetTagRule', { body: tagRule });
    await settled(tagging.taskId);
    const exclusion = { reason: 'test machines', filterId: lab.id } as never;
    const excluding = await analyst.ok('createAssetExclusion', { params, body: exclusion });
    await settled(excluding.taskId);
    const linking = await analyst.ok('createAssetRule', { params, body: { name: 'hosts', filterId: web.id } as never });
    await settled(linking.taskId);
    const exceptions = [{ name: 'front', days: { critical: 1 }, filterId: web.id }] as never;
    const policies = await admin.ok('updateSlaPolicies', { body: { exceptions } });
    expect([tagging, linking, excluding].map(({ condition }) => condition)).toEqual(['tag:web', 'tag:web', 'tag:lab']);
    expect(policies.exceptions).toMatchObject([{ filter: 'tag:web', filterId: web.id }]);
    expect(await linked(id)).toEqual(['web-1 rule']);
    const usersOf = async (saved: { id: string }) =>
      (await admin.ok('getSavedFilter', { params: { id: saved.id } })).usedBy;
    const usedBy = [
      { type: 'asset_tag_rule', id: tagging.id, name: 'front' },
      { type: 'application_rule', id: linking.id, name: 'hosts' },
      { type: 'sla_exception', id: null, name: 'front' },
    ];
    expect(await usersOf(web)).toEqual(usedBy);
    expect(await usersOf(lab)).toEqual([{ type: 'application_exclusion', id: excluding.id, name: 'test machines' }]);
    expect(await admin.call('deleteSavedFilter', { params: { id: lab.id } })).toMatchObject({ status: 400 });

    const change = (saved: { id: string }, filter: string) =>
      admin.call('updateSavedFilter', { params: { id: saved.id }, body: { filter } });
    expect(await change(web, 'sevrity:x')).toMatchObject({ status: 400 });
    expect(
      await analyst.call('updateSavedFilter', { params: { id: web.id }, body: { filter: 'type:url' } }),
    ).toMatchObject({
      body: { code: 'conflict' },
    });
    expect((await change(web, 'tag:web,lab')).status).toBe(200);
    expect((await change(lab, 'tag:db')).status).toBe(200);
    const { data } = await admin.ok('listTasks', { query: { operation: 'apply_asset_rules' } });
    for (const task of data) await settled(task.id);
    expect(await linked(id)).toEqual(['lab-1 rule', 'web-1 rule']);
    const tagged = await admin.ok('listAssets', { query: { tag: 'front' } });
    expect(tagged.totalCount).toBe(2);
    expect((await admin.ok('getSlaPolicies', {})).exceptions).toMatchObject([{ filter: 'tag:web,lab' }]);

    // a client that sends back what it read changes nothing, and other conditions stand beside no filter
    const read = await admin.ok('getAssetTagRule', { params: { id: tagging.id } });
    expect(await admin.ok('updateAssetTagRule', { params: { id: tagging.id }, body: read })).toEqual(read);
    const beside = { condition: 'type:url' } as never;
    expect(await admin.call('updateAssetTagRule', { params: { id: tagging.id }, body: beside })).toMatchObject({
      body: { details: [{ path: 'condition' }] },
    });
    await admin.ok('updateAssetTagRule', { params: { id: tagging.id }, body: { filterId: null } as never });
    expect(await usersOf(web)).toEqual(usedBy.slice(1));
    expect(await admin.call('createAssetTagRule', { body: { name: 'x', tags: ['x'] } as never })).toMatchObject({
      body: { details: [{ path: 'condition', message: expect.stringMatching(/required/) }] },
    });
  });

  test('judges an import', async () => {
    const { admin } = await system.newOrganization();
    const body = { name: 'secrets', entity: 'finding', filter: 'tool:gitleaks', visibility: 'private' } as const;
    const { id: filterId } = await admin.ok('createSavedFilter', { body });
    const { id: ofAssets } = await admin.ok('createSavedFilter', {
      body: { ...body, entity: 'asset', filter: 'type:host' },
    });
    const content = JSON.stringify({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'semgrep', rules: [{ id: 'eval' }] } },
          results: [{ ruleId: 'eval', level: 'error', message: { text: 'eval' } }],
        },
      ],
    });
    const judged = (gate: object) =>
      admin.call('importFindings', {
        body: { format: 'sarif', content, target: { type: 'repository', value: 'acme/shop' }, gate } as never,
        query: { waitSeconds: 20 },
      });
    const failOn = 'info' as const;
    expect(await judged({ failOn, filterId: ofAssets })).toMatchObject({
      body: { details: [{ path: 'gate.filterId' }] },
    });
    const passing = await judged({ failOn, filterId });
    expect(passing).toMatchObject({ body: { gate: { passed: true } } });
    const { taskId } = Object(passing.body);
    const again = async (query: { filterId?: string }) =>
      admin.ok('judgeImport', { params: { taskId }, query: Object.assign({ failOn }, query) });
    expect([(await again({})).passed, (await again({ filterId })).passed]).toEqual([false, true]);
  });

  test('is shared and of the records of the rule, and no other filter stands beside it', async () => {
    const { admin } = await system.newOrganization();
    const save = (entity: 'finding' | 'asset', visibility: 'private' | 'shared') =>
      admin.ok('createSavedFilter', {
        body: { name: 'x', entity, filter: entity === 'asset' ? 'type:host' : 'kev:true', visibility },
      });
    const create = async (more: object) => {
      const body = { name: 'x', status: 'out_of_scope', reason: 'x', ...more } as never;
      return Object((await admin.call('createFindingRule', { body })).body).details?.[0];
    };
    const [own, ofAssets, shared] = [
      await save('finding', 'private'),
      await save('asset', 'shared'),
      await save('finding', 'shared'),
    ];
    expect(await create({ filterId: own.id })).toMatchObject({
      path: 'filterId',
      message: expect.stringMatching(/shared/),
    });
    expect(await create({ filterId: ofAssets.id })).toMatchObject({
      path: 'filterId',
      message: expect.stringMatching(/of asset and not of finding/),
    });
    expect(await create({ filterId: shared.id, filter: 'kev:false' })).toMatchObject({ path: 'filter' });
  });

  test('chooses events for endpoints and subscriptions, which follow its changes and keep it', async () => {
    const { admin } = await system.newOrganization();
    const saved = await admin.ok('createSavedFilter', {
      body: { name: 'urgent', entity: 'finding', filter: 'severity:critical', visibility: 'shared' },
    });
    const params = { id: saved.id };
    const matching = { entity: 'finding' as const, filterId: saved.id };
    const hook = { name: 'Hooks', url: 'https://hooks.example.com/', enabled: false, types: ['finding.*'], matching };
    const endpoint = await admin.ok('createWebhookEndpoint', { body: hook });
    const told = { name: 'Urgent', types: ['finding.created'], channels: ['inbox' as const], matching };
    const subscription = await admin.ok('createNotificationSubscription', {
      body: { ...told, to: { kind: 'administrators' } },
    });
    const copy = { ...matching, filter: 'severity:critical' };
    expect([endpoint.matching, subscription.matching]).toEqual([copy, copy]);
    const usedBy = [
      { type: 'webhook_endpoint', id: endpoint.id, name: 'Hooks' },
      { type: 'notification_subscription', id: subscription.id, name: 'Urgent' },
    ];
    expect(await admin.ok('getSavedFilter', { params })).toMatchObject({ usedBy });
    expect((await admin.call('deleteSavedFilter', { params })).body).toMatchObject({ code: 'conflict' });
    const other = { body: { ...hook, matching: { ...matching, filter: 'kev:true' } } };
    expect((await admin.call('createWebhookEndpoint', other)).body).toMatchObject({ code: 'validation_failed' });
    await admin.ok('updateSavedFilter', { params, body: { filter: 'kev:true' } });
    const after = await Promise.all([
      admin.ok('getWebhookEndpoint', { params: { id: endpoint.id } }),
      admin.ok('getNotificationSubscription', { params: { id: subscription.id } }),
    ]);
    expect(after.map((one) => one.matching?.filter)).toEqual(['kev:true', 'kev:true']);
    const free = { body: { matching: null } };
    await admin.ok('updateWebhookEndpoint', { params: { id: endpoint.id }, ...free });
    await admin.ok('updateNotificationSubscription', { params: { id: subscription.id }, ...free });
    await admin.ok('deleteSavedFilter', { params });
  });
});
