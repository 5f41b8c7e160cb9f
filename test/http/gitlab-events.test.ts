import { expect, test } from 'vitest';
import { repositories } from '#shared/entities/repository.ts';
import { newId } from '#shared/runtime/ids.ts';
import { sha } from '#test/support/code-scans.ts';
import { startSystem } from '#test/support/system.ts';
import { expectExact } from '#test/support/verify.ts';
import { until } from '#test/support/wait.ts';

const system = startSystem();

const group = `group-${newId().slice(-12)}`;
const path = `${group}/shop`;
const project = {
  ...{ id: 9, name: 'shop', description: null, web_url: `https://gitlab.com/${path}`, visibility_level: 20 },
  ...{ path_with_namespace: path, default_branch: 'main', ci_config_path: null, avatar_url: null },
};
const request = {
  ...{ id: 99, iid: 1, title: 'A change', action: 'open', source_branch: 'fix', target_branch: 'main' },
  ...{ source_project_id: 9, target_project_id: 9, last_commit: { id: sha('b'), timestamp: '2026-11-01T09:00:00Z' } },
};
const kept = ['repository_kept'];
const ofProject = (event_name: string) => ({
  ...{ event_name, project_id: 9, name: 'shop', path: 'shop', path_with_namespace: path, project_visibility: 'public' },
  ...{ created_at: '2026-10-01T09:00:00Z', updated_at: '2026-11-01T09:00:00Z', owners: [] },
});

/** The kinds of https://docs.gitlab.com/user/project/integrations/webhook_events/ and of system hooks; undefined: it changes nothing. */
const events: [header: string, body: object, effects?: string[]][] = [
  ['System Hook', ofProject('project_create'), kept],
  [
    'Push Hook',
    { object_kind: 'push', ref: 'refs/heads/main', before: sha('0'), after: sha('a'), commits: [], project },
    [...kept, 'branch_kept'],
  ],
  ['Tag Push Hook', { object_kind: 'tag_push', ref: 'refs/tags/v1', before: sha('0'), after: sha('a'), project }, kept],
  ['Merge Request Hook', { object_kind: 'merge_request', object_attributes: request, project }, kept],
  [
    'Merge Request Hook',
    { object_kind: 'merge_request', object_attributes: { ...request, action: 'merge' }, project },
    kept,
  ],
  ['Issue Hook', { object_kind: 'issue', object_attributes: { iid: 3, action: 'open' }, project }],
  ['Note Hook', { object_kind: 'note', object_attributes: { note: 'Hello', noteable_type: 'Commit' }, project }],
  ['Wiki Page Hook', { object_kind: 'wiki_page', object_attributes: { action: 'create' }, project }],
  ['Pipeline Hook', { object_kind: 'pipeline', object_attributes: { status: 'success' }, builds: [], project }],
  ['Job Hook', { object_kind: 'build', ref: 'main', build_status: 'created', project_id: 9, project }],
  ['Deployment Hook', { object_kind: 'deployment', status: 'success', project }],
  ['Feature Flag Hook', { object_kind: 'feature_flag', object_attributes: { active: true }, project }],
  ['Release Hook', { object_kind: 'release', action: 'create', tag: 'v1', project }],
  ['Emoji Hook', { object_kind: 'emoji', event_type: 'award', object_attributes: { name: 'thumbsup' }, project }],
  ['Milestone Hook', { object_kind: 'milestone', action: 'create', object_attributes: { iid: 1 }, project }],
  ['Resource Access Token Hook', { object_kind: 'access_token', event_name: 'expiring_access_token', project }],
  ['Member Hook', { event_name: 'user_add_to_group', group_path: group, group_name: group, group_id: 5 }],
  ['Subgroup Hook', { event_name: 'subgroup_create', full_path: `${group}/web`, group_id: 6, parent_group_id: 5 }],
  ['Push Hook', { object_kind: 'constructor', project }],
  ['System Hook', ofProject('project_update'), kept],
  ['System Hook', { ...ofProject('project_rename'), old_path_with_namespace: `${group}/store` }, kept],
  ['System Hook', { ...ofProject('project_transfer'), old_path_with_namespace: `other/shop` }, kept],
  [
    'System Hook',
    { event_name: 'group_rename', full_path: `${group}/new`, old_full_path: `${group}/old` },
    ['group_renamed'],
  ],
  ['Subgroup Hook', { event_name: 'subgroup_destroy', full_path: `${group}/web` }, ['group_deleted']],
  ['System Hook', ofProject('project_destroy'), ['repository_deleted']],
];

test('every event that GitLab documents is taken and worked, those of kinds that change nothing as well', async () => {
  const { admin, table } = await system.newOrganization();
  const lab = await admin.ok('createIntegration', { body: { kind: 'codehost_b', name: 'Lab', account: group } });
  const url = new URL(lab.webhookUrl);
  for (const [n, [header, body]] of events.entries()) {
    const named = {
      'x-gitlab-event': header,
      'x-gitlab-event-uuid': `sample-${n}`,
      'x-gitlab-token': lab.webhookSecret,
    };
    const answer = await system.client().send('POST', url.pathname, {
      ...{ query: Object.fromEntries(url.searchParams), body: JSON.stringify({ ...body, n }) },
      headers: { 'content-type': 'application/json', ...named },
    });
    expect([header, answer.status]).toEqual([header, 200]);
  }
  const { data } = await until(
    () => admin.ok('listDeliveries', { params: { id: lab.id }, query: { limit: 100 } }),
    (page) => page.data.length === events.length && page.data.every(({ status }) => status === 'succeeded'),
  );
  const outcomes = new Map(data.map(({ deliveryId, outcome }) => [deliveryId, outcome]));
  for (const [n, [header, , effects]] of events.entries())
    expect([header, outcomes.get(`sample-${n}`)]).toMatchObject([
      header,
      effects ? { outcome: 'handled', effects } : { outcome: 'ignored', effects: [] },
    ]);
  const standing = await table.list(repositories, { paginateFrom: 0, paginateSize: 10 });
  expect(standing.data.map(({ fullName, status }) => [fullName, status])).toEqual([[path, 'deleted']]);
  await expectExact(table, [repositories]);
});
