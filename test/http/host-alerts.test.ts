import { expect, test } from 'vitest';
import { readBody } from '#shared/code/integrations/deliveries.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { system } from '../support/analyst.ts';
import { outcomeOf } from '../support/code-hosts/tell.ts';
import { deliver } from '../support/github-delivery.ts';
import { eventually } from '../support/wait.ts';

const repository = {
  id: 61,
  name: 'till',
  full_name: 'octo-shop/till',
  html_url: 'https://github.com/octo-shop/till',
  private: true,
  owner: { login: 'octo-shop' },
  default_branch: 'main',
  archived: false,
  updated_at: '2026-11-01T08:00:00Z',
};

/** An organization that alerts come to. */
async function connected() {
  const { admin, table } = await system.newOrganization();
  const hub = await admin.ok('createIntegration', { body: { kind: 'codehost_a', name: 'Hub', account: 'octo-shop' } });
  const tell = async (event: string, body: object) => {
    const id = newId();
    // a body that was sent before is refused
    const answer = await deliver(hub, event, { ...body, repository, sender: { id } }, id);
    expect(answer.status).toBe(200);
    const outcome = await outcomeOf(admin, hub, id);
    return outcome?.reason ?? outcome?.effects.at(-1);
  };
  const statuses = async () =>
    Object.fromEntries((await admin.ok('listFindings', {})).data.map(({ ruleId, status }) => [ruleId, status]));
  /** The findings once they are so: a report is read after its delivery was worked. */
  const shows = (expected: object) => eventually(async () => expect(await statuses()).toEqual(expected));
  /** The deliveries as they are kept, as text. */
  const kept = async () => {
    const { data } = await admin.ok('listDeliveries', { params: { id: hub.id }, query: {} });
    const place = { table, bucket: system.connections.bucket };
    return JSON.stringify(
      await Promise.all(data.map(({ deliveryId }) => readBody(place, { integrationId: hub.id, deliveryId }))),
    );
  };
  return { admin, tell, shows, kept };
}

const codeAlert = (number: number, state: string) => ({
  number,
  state,
  html_url: `${repository.html_url}/security/code-scanning/${number}`,
  tool: { name: 'CodeQL' },
  rule: { id: `rule-${number}`, description: 'Injection', security_severity_level: 'high', tags: [] },
  most_recent_instance: { location: { path: 'src/a.ts', start_line: 3 }, commit_sha: 'a'.repeat(40) },
});

test('an alert that its code host saw fixed closes its finding and no other; one that somebody dismissed does not', async () => {
  const { tell, shows } = await connected();
  const ref = 'refs/heads/main';
  const of = (number: number, action: string, state: string) =>
    tell('code_scanning_alert', { action, ref, alert: codeAlert(number, state) });
  expect(await of(1, 'created', 'open')).toBe('alert_imported');
  expect(await of(2, 'created', 'open')).toBe('alert_imported');
  await shows({ 'rule-2': 'open', 'rule-1': 'open' });
  expect(await of(1, 'fixed', 'fixed')).toBe('alert_closed');
  await shows({ 'rule-2': 'open', 'rule-1': 'fixed' });
  expect(await of(2, 'closed_by_user', 'dismissed')).toMatch(/^closed_by_user: decide on its finding here/);
  // the beginning of an alert that is over, told late
  expect(await of(1, 'created', 'open')).toBe('the alert has changed since');
  expect(await of(1, 'reopened', 'open')).toBe('alert_imported');
  await shows({ 'rule-2': 'open', 'rule-1': 'open' });
});

test('an alert on a secret is a finding without the secret, and one that was revoked is fixed', async () => {
  const { admin, tell, shows, kept } = await connected();
  const alert = {
    number: 3,
    secret_type: 'payment_key',
    secret_type_display_name: 'Payment Key',
    resolution: null,
    html_url: `${repository.html_url}/security/secret-scanning/3`,
    secret: 'sk_live_hunter2',
  };
  expect(await tell('secret_scanning_alert', { action: 'created', alert })).toBe('alert_imported');
  await shows({ payment_key: 'open' });
  const [found] = (await admin.ok('listFindings', {})).data;
  const finding = await admin.ok('getFinding', { params: { id: found?.id ?? '' } });
  expect(finding).toMatchObject({ severity: 'high', cwes: ['CWE-798'], tool: 'GitHub secret scanning' });
  expect(JSON.stringify(finding)).not.toContain('hunter2');
  const deliveries = await kept();
  expect(deliveries).toContain('Payment Key');
  expect(deliveries).not.toContain('hunter2');
  const resolved = (resolution: string) =>
    tell('secret_scanning_alert', { action: 'resolved', alert: { ...alert, resolution } });
  expect(await resolved('false_positive')).toMatch(/^resolved: decide/);
  expect(await resolved('revoked')).toBe('alert_closed');
  await shows({ payment_key: 'fixed' });
});

test('alerts are as their newest event says, in whatever order these come', async () => {
  const { tell, shows } = await connected();
  const of = (action: string, state: string, minute: number) =>
    tell('code_scanning_alert', {
      action,
      ref: 'refs/heads/main',
      alert: { ...codeAlert(1, state), updated_at: `2026-11-01T08:0${minute}:00Z` },
    });
  expect(await of('created', 'open', 1)).toBe('alert_imported');
  expect(await of('reopened', 'open', 3)).toBe('alert_imported');
  expect(await of('fixed', 'fixed', 2)).toBe('the alert has changed since');
  await shows({ 'rule-1': 'open' });
  expect(await of('fixed', 'fixed', 5)).toBe('alert_closed');
  expect(await of('reopened', 'open', 4)).toBe('the alert has changed since');
  await shows({ 'rule-1': 'fixed' });
});
