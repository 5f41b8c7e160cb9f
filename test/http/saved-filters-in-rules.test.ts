import { describe, expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import { now } from '#shared/platform/runtime/clock.ts';
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
});
