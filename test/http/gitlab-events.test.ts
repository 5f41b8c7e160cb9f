import { beforeAll, expect, test } from 'vitest';
import { assets } from '#shared/entities/asset.ts';
import { repositories } from '#shared/entities/repository.ts';
import { newId } from '#shared/runtime/ids.ts';
import { system } from '#test/support/analyst.ts';
import type { AnswerOf } from '#test/support/client.ts';
import type { TestOrganization } from '#test/support/system.ts';
import { expectExact } from '#test/support/verify.ts';
import { eventually, until } from '#test/support/wait.ts';

let own: TestOrganization;
let lab: AnswerOf<'createIntegration'>;
beforeAll(async () => {
  own = await system.newOrganization();
  lab = await own.admin.ok('createIntegration', {
    body: { kind: 'codehost_b', name: 'Lab', account: 'shop', baseUrl: 'https://git.example.com' },
  });
});

/** Sends an event as GitLab does. @returns its last effect, or why it has none */
async function tell(body: object) {
  const id = newId();
  const { pathname, searchParams } = new URL(lab.webhookUrl);
  const headers = { 'x-gitlab-event': 'Any', 'x-gitlab-token': lab.webhookSecret, 'x-gitlab-event-uuid': id };
  const answer = await system.client().send('POST', pathname, {
    ...{ query: Object.fromEntries(searchParams), body: JSON.stringify({ ...body, sent: id }) },
    headers: { 'content-type': 'application/json', ...headers },
  });
  expect(answer.status).toBe(200);
  const all = async () => (await own.admin.ok('listDeliveries', { params: { id: lab.id }, query: {} })).data;
  const worked = await until(
    async () => (await all()).find(({ deliveryId }) => deliveryId === id),
    (one) => one?.status === 'succeeded' || one?.status === 'failed',
  );
  return worked?.outcome?.reason ?? worked?.outcome?.effects.at(-1) ?? worked?.error?.message;
}

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#vulnerability-events */
const vulnerability = (state: string, minute: number) => ({
  object_kind: 'vulnerability',
  object_attributes: {
    ...{ url: 'https://git.example.com/shop/pos/till/-/security/vulnerabilities/7', title: 'REXML DoS', state },
    ...{
      project_id: 501,
      severity: 'high',
      report_type: 'dependency_scanning',
      updated_at: `2026-11-02 08:0${minute}:00 UTC`,
    },
    location: { file: 'Gemfile.lock', dependency: { package: { name: 'rexml' }, version: '3.3.1' } },
    cvss: [{ vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H', vendor: 'NVD' }],
    identifiers: [
      { name: 'CVE-2024-41123', external_id: 'CVE-2024-41123', external_type: 'cve', url: 'https://cve.example/41123' },
    ],
  },
});

test('a vulnerability of GitLab is a finding, and one that GitLab saw resolved closes it, in any order of their events', async () => {
  const shown = async () =>
    (await own.admin.ok('listFindings', {})).data.map(({ cves, status, severity }) => [cves[0], status, severity]);
  expect(await tell(vulnerability('detected', 1))).toBe('alert_imported');
  await eventually(async () => expect(await shown()).toEqual([['CVE-2024-41123', 'open', 'high']]));
  expect(await tell(vulnerability('resolved', 3))).toBe('alert_closed');
  await eventually(async () => expect(await shown()).toEqual([['CVE-2024-41123', 'fixed', 'high']]));
  expect(await tell(vulnerability('confirmed', 2))).toBe('the alert has changed since');
  expect(await tell(vulnerability('dismissed', 4))).toMatch(/^dismissed: decide on its finding here/);
  expect((await own.table.list(repositories, { paginateFrom: 0, paginateSize: 5 })).data).toMatchObject([
    { externalId: '501', fullName: 'shop/pos/till', vendor: 'codehost_b' },
  ]);
});

test('a group that is renamed or deleted takes its projects along, with their findings, and no other project', async () => {
  const created = (id: number, path: string) =>
    tell({
      ...{ event_name: 'project_create', project_id: id, name: path.split('/').at(-1), path_with_namespace: path },
      ...{ project_visibility: 'private', updated_at: '2026-11-01T08:00:00Z' },
    });
  await created(601, 'shop/web/front');
  await created(602, 'shop/website/other');
  const group = { name: 'www', full_path: 'shop/www', old_full_path: 'shop/web', group_id: 9 };
  expect(await tell({ event_name: 'group_rename', ...group })).toBe('group_renamed');
  const named = async () =>
    Object.fromEntries(
      (await own.table.list(repositories, { paginateFrom: 0, paginateSize: 9 })).data.map((one) => [
        one.externalId,
        `${one.fullName} ${one.status}`,
      ]),
    );
  expect(await named()).toMatchObject({ 601: 'shop/www/front active', 602: 'shop/website/other active' });
  expect(await tell({ event_name: 'group_destroy', name: 'www', full_path: 'shop/www', group_id: 9 })).toBe(
    'group_deleted',
  );
  expect(await named()).toMatchObject({ 601: 'shop/www/front deleted', 602: 'shop/website/other active' });
  await expectExact(own.table, [repositories, assets]);
});
