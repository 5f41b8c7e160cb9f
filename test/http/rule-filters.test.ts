import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { assetFilter, conditionFields } from '#shared/assets/asset/filter-fields.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { ruleCompiler, seenStored } from '#shared/platform/filter/rule.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import { conditions } from '../shared/assets/conditions/random.ts';
import { findingDraft } from '../support/findings.ts';
import { startSystem } from '../support/system.ts';
import { runs } from '../support/tier.ts';
import { finished, until } from '../support/wait.ts';

const system = startSystem();

describe('a rule selects the same records as a list', () => {
  test('of assets, where an index answers; the list refuses the rest and says what to leave out', async () => {
    const { table, admin } = await system.newOrganization();
    for (const [n, name] of ['web-1', 'db-1', 'web-2'].entries())
      await admin.ok('createAsset', {
        body: { type: 'host', value: name, tags: n > 0 ? ['payments'] : ['lab'], zone: n > 1 ? 'plant' : null },
      });
    const all = await recordsOf(table, assets);
    const compile = await ruleCompiler(conditionFields);
    expect(Object.keys(await assetFilter.fields())).toEqual(
      expect.arrayContaining(Object.keys(await conditionFields())),
    );
    await fc.assert(
      fc.asyncProperty(conditions, async (condition) => {
        const { test: fits, exact } = compile(condition);
        const query = { filter: JSON.stringify(condition), paginateSize: 100 } as never;
        const answer = await admin.call('listAssets', { query });
        if (!exact) {
          expect(answer).toMatchObject({
            status: 400,
            body: { message: expect.stringMatching(/leave it out|name values/) },
          });
          return;
        }
        const evaluated = all.filter((one) => fits(seenStored(one, { branches: [] }))).map(({ name }) => name);
        const { data, totalCount } = await admin.ok('listAssets', { query });
        expect([data.map(({ name }) => name).sort(), totalCount]).toEqual([evaluated.sort(), evaluated.length]);
      }),
      { numRuns: runs(60, 500) },
    );
  });
});

describe('a rule takes a filter', () => {
  const ticketRule = (more: object) => ({ name: 'x', opensFor: 'finding', project: 'SEC', ...more }) as never;

  test('as text, beside its conditions, also of the asset behind a finding and of what no index has', async () => {
    const { table, admin } = await system.newOrganization();
    const { id } = await admin.ok('createAsset', { body: { type: 'host', value: 'web-1', tags: ['payments'] } });
    const asset = { id, type: 'host' as const, name: 'web-1', zone: null };
    for (const [title, path] of [
      ['in tests', 'test/a.ts'],
      ['in code', 'src/a.ts'],
    ] as const)
      await table.create(findings, findingDraft(now(), { title, asset, locationDetail: { path, line: 1 } }));
    await table.create(
      findings,
      findingDraft(now(), { title: 'of a deleted asset', locationDetail: { path: 'lib/a.ts' } }),
    );
    const matched = async (more: object) => {
      const { sample } = await admin.ok('previewTicketRule', { body: ticketRule(more) });
      return sample.map(({ title }) => title).sort();
    };
    expect(await matched({ filter: 'path:src/* asset.hostname:WEB-*' })).toEqual(['in code']);
    expect(await matched({ filter: 'asset.hostname:web-*', conditions: { severities: ['high'] } })).toEqual([
      'in code',
      'in tests',
    ]);
    expect(await matched({ filter: '-asset.hostname:db-*' })).toEqual(['in code', 'in tests']);
    expect(await matched({ conditions: { asset: { field: 'hostname', operator: 'matches', value: 'db-*' } } })).toEqual(
      [],
    );
    expect(await matched({ filter: 'firstSeen:1d -path:src/*' })).toEqual(['in tests', 'of a deleted asset']);
  });

  test('that suppresses findings as if none were suppressed, so that what it does never ends it', async () => {
    const { table, admin } = await system.newOrganization();
    const { id } = await admin.ok('createAsset', { body: { type: 'host', value: '10.0.0.7', name: 'lab-1' } });
    const asset = { id, type: 'host' as const, name: 'lab-1', zone: null };
    const held = await table.create(findings, findingDraft(now(), { asset, severity: 'low' }));
    const worse = await table.create(findings, findingDraft(now(), { asset, severity: 'critical' }));
    const body = {
      name: 'x',
      filter: 'asset.hostname:lab-* priority<100 severity:low',
      status: 'out_of_scope',
      reason: 'a laboratory',
    };
    const statuses = () =>
      Promise.all([held, worse].map(async (one) => (await admin.ok('getFinding', { params: { id: one.id } })).status));
    const rule = await admin.ok('createFindingRule', { body: body as never });
    await finished(admin, rule.taskId);
    expect(await statuses()).toEqual(['out_of_scope', 'open']);
    const params = { id: rule.id };
    const again = await admin.ok('updateFindingRule', { params, body: { reason: 'another' } as never });
    await finished(admin, again.taskId);
    expect(await statuses()).toEqual(['out_of_scope', 'open']);
    await admin.ok('updateAsset', { params: { id }, body: { name: 'pay-1' } as never });
    await until(statuses, ([first]) => first === 'open');
    const over = await admin.ok('updateFindingRule', { params, body: { filter: 'asset.hostname:pay-*' } as never });
    await finished(admin, over.taskId);
    expect(await statuses()).toEqual(['out_of_scope', 'out_of_scope']);
  });

  test.each<[object, string, RegExp]>([
    [{ filter: 'status:open' }, 'filter', /^column 1: status is no field/],
    [{ filter: 'assignee:me' }, 'filter', /nobody in a rule/],
    [{ filter: 'preview:01900000-0000-7000-8000-000000000000' }, 'filter', /is a field of lists/],
  ])('%j is refused by a suppression rule', async (more, path, message) => {
    const { admin } = await shared;
    const body = { name: 'x', status: 'out_of_scope', reason: 'x', ...more } as never;
    const answer = await admin.call('createFindingRule', { body });
    expect(answer).toMatchObject({
      status: 400,
      body: { details: [{ path, message: expect.stringMatching(message) }] },
    });
  });

  test('a gate names the filter that is wrong before it takes the report', async () => {
    const { admin } = await shared;
    const body = { content: '{}', gate: { filter: 'sevrity:high' } } as never;
    expect(await admin.call('importFindings', { body })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'gate.filter', message: expect.stringMatching(/did you mean severity/) }] },
    });
  });

  test('an exception of SLA policies names the filter that is wrong', async () => {
    const { admin } = await shared;
    const exceptions = [{ name: 'x', days: { high: 3 }, filter: { field: 'branch', operator: 'exists' } }];
    expect(await admin.call('updateSlaPolicies', { body: { exceptions } as never })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'exceptions.0.filter.field' }] },
    });
  });

  test.each<[object, string, RegExp]>([
    [{ filter: 'assignee:me' }, 'filter', /^column 1: assignee: me is nobody in a rule/],
    [{ filter: 'sevrity:high' }, 'filter', /did you mean severity\?/],
    [
      { filter: { not: { field: 'asset.ip', operator: 'cidr', value: '10.0.0.0/33' } } },
      'filter.not.value',
      /must be an address/,
    ],
    [
      { conditions: { asset: { field: 'colour', operator: 'exists' } } },
      'conditions.asset.field',
      /colour is no field/,
    ],
    [{}, 'conditions', /at least one condition/],
  ])('%j is refused', async (more, path, message) => {
    const { admin } = await shared;
    const answer = await admin.call('createTicketRule', { body: ticketRule(more) });
    expect(answer).toMatchObject({
      status: 400,
      body: { details: [{ path, message: expect.stringMatching(message) }] },
    });
  });
  const shared = system.newOrganization();
});
