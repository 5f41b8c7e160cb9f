import { expect, test } from 'vitest';
import { system } from '../support/analyst.ts';
import { told } from '../support/jira/tickets.ts';
import type { TestOrganization } from '../support/system.ts';
import { addFinding, assetNamed } from '../support/vulnerabilities.ts';
import { eventually } from '../support/wait.ts';

/** The alerts of findings, once they have as many findings each. */
const alertsOf = (own: TestOrganization, counts: readonly number[]) =>
  eventually(async () => {
    await told(own);
    const { data } = await own.admin.ok('listAlerts', { query: { source: 'finding' } });
    expect(data.map(({ eventCount }) => eventCount).sort()).toEqual(counts);
    return data;
  });

const moved = (own: TestOrganization, id: string, status: string) =>
  own.admin.ok('updateFinding', { params: { id }, body: { status, statusReason: 'decided' } as never });

test('critical findings make an alert for each asset, on which each counts once, and again when it returns', async () => {
  const own = await system.newOrganization();
  await own.admin.ok('updateOrganizationSettings', { body: { findingAlerts: 'critical' } });
  const asset = assetNamed('web-01.example.com');
  const first = await addFinding(own.table, { severity: 'critical', title: 'Default password', asset });
  await addFinding(own.table, { severity: 'critical', asset });
  await addFinding(own.table, { severity: 'high', asset });
  const [alert] = await alertsOf(own, [2]);
  expect(alert).toMatchObject({
    severity: 'critical',
    status: 'new',
    title: 'Grave findings on web-01.example.com',
    source: { kind: 'finding', ruleName: 'findingAlerts: critical' },
    entities: [{ type: 'host', value: asset.name, assetId: asset.id }],
  });
  await moved(own, first.id, 'in_progress');
  await moved(own, first.id, 'fixed');
  await addFinding(own.table, { severity: 'critical', asset: assetNamed('web-02.example.com') });
  await alertsOf(own, [1, 2]);
  await moved(own, first.id, 'open');
  await alertsOf(own, [1, 3]);
});

test('an organization that asks for none gets no alerts of findings, and exploited ones alone where it asks for these', async () => {
  const [silent, own] = [await system.newOrganization(), await system.newOrganization()];
  await own.admin.ok('updateOrganizationSettings', { body: { findingAlerts: 'exploited' } });
  for (const { table } of [silent, own]) {
    await addFinding(table, { severity: 'critical', asset: assetNamed('one') });
    await addFinding(table, { severity: 'low', kev: true, asset: assetNamed('two') });
  }
  const [alert] = await alertsOf(own, [1]);
  expect(alert?.title).toBe('Exploited findings on two');
  await alertsOf(silent, []);
});
