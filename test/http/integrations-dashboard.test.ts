import { expect, test } from 'vitest';
import { noteDelivery, noteHost } from '#shared/code/integrations/health.ts';
import { integrations } from '#shared/code/integrations/integration.ts';
import { integrators } from '#shared/soc/incidents/integrator.ts';
import { collectors } from '#shared/soc/siem/collector.ts';
import { bare } from '../support/bare.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';

const system = startSystem();

test('an organization that connected nothing reads zeros', async () => {
  const { admin } = await system.newOrganization();
  expect(bare(await admin.ok('getIntegrationsSummary'))).toEqual({
    asOf: expect.any(String),
    total: 0,
    failing: [],
    byKind: {
      codehost_a: 0,
      codehost_b: 0,
      ticketing: 0,
      billingprocessor: 0,
      identity_provider: 0,
      notification: 0,
      collector: 0,
      integrator: 0,
    },
    byStatus: { connected: 0, degraded: 0, failed: 0, disabled: 0 },
  });
});

test('what does not work is counted and named, the newest problem first, until it works again', async () => {
  const organization = await system.newOrganization();
  const { admin, table } = organization;
  const connect = (name: string, enabled = true) =>
    admin.ok('createIntegration', { body: { kind: 'codehost_a', name, account: name, enabled } });
  const [one, two] = [await connect('one'), await connect('two')];
  await connect('off', false);
  const silent = await organization.machine('integrator', { name: 'Silent' });
  await organization.machine('collector');
  const lastSeenAt = '2026-11-01T08:00:00.000Z';
  await table.modify(integrators, silent.id, () => ({ status: 'offline' as const, lastSeenAt }));
  await noteDelivery(table, one, 'The delivery 1 could not be worked.');
  await noteHost(table, two, { code: 'refused', message: 'The code host refuses the token.' });
  const summary = await (await organization.withRole('viewer')).ok('getIntegrationsSummary');
  expect(summary).toMatchObject({
    total: 5,
    byKind: { codehost_a: 3, codehost_b: 0, collector: 1, integrator: 1 },
    byStatus: { connected: 0, degraded: 2, failed: 2, disabled: 1 },
  });
  expect(summary.failing.map(({ kind, name, reason }) => [kind, name, reason])).toEqual([
    ['codehost_a', 'two', 'The code host refuses the token.'],
    ['codehost_a', 'one', 'The delivery 1 could not be worked.'],
    ['integrator', 'Silent', 'It has not been heard of since.'],
  ]);
  await noteDelivery(table, one);
  await noteHost(table, two, undefined);
  await table.modify(integrators, silent.id, () => ({ status: 'online' as const }));
  expect(bare(await admin.ok('getIntegrationsSummary'))).toMatchObject({
    byStatus: { connected: 3, degraded: 1, failed: 0, disabled: 1 },
    failing: [],
  });
  await expectExact(table, [integrations, integrators, collectors]);
});
