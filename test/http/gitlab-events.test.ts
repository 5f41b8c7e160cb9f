import { expect, test } from 'vitest';
import { codeBranches } from '#shared/code/repositories/code-branch.ts';
import { repositories } from '#shared/code/repositories/repository.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { gitlabEvents } from '../support/code-hosts/gitlab-events.ts';
import { deliverFromGitlab, outcomeOf } from '../support/code-hosts/tell.ts';
import { sha } from '../support/code-scans.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { eventually } from '../support/wait.ts';

const system = startSystem();
const first = { paginateFrom: 0, paginateSize: 100 };

/** An organization that an account's events come to, under the headers of GitLab. */
async function connected() {
  const { admin, table } = await system.newOrganization();
  const group = `group-${newId().slice(-12)}`;
  const lab = await admin.ok('createIntegration', { body: { kind: 'codehost_b', name: 'Lab', account: group } });
  const send = (event: string, body: object, id = newId()) => deliverFromGitlab(lab, event, body, id);
  const tell = async (event: string, body: object) => {
    const id = newId();
    expect([event, (await send(event, body, id)).status]).toEqual([event, 200]);
    return outcomeOf(admin, lab, id);
  };
  return { admin, table, group, lab, send, tell, of: gitlabEvents(group) };
}

const kept = ['repository_kept'];

/** The kinds that GitLab documents; undefined: it changes nothing. */
function documented({ group, of }: Pick<Awaited<ReturnType<typeof connected>>, 'group' | 'of'>) {
  const all: [header: string, body: object, effects?: string[]][] = [
    ['Project Hook', of.ofProject('project_create'), kept],
    ['Push Hook', of.push, [...kept, 'branch_kept']],
    ['System Hook', of.systemPush, [...kept, 'branch_kept']],
    ['Tag Push Hook', of.tagPush, kept],
    ['System Hook', of.systemTagPush, kept],
    ...['open', 'update', 'approved', 'merge', 'reopen', 'close'].map((action): [string, object, string[]] => [
      'Merge Request Hook',
      of.proposed(action),
      kept,
    ]),
    ['Vulnerability Hook', of.vulnerability('confirmed', '2026-11-01T00:46:14.413Z'), ['alert_imported']],
    ['Vulnerability Hook', of.vulnerability('resolved', '2026-11-02T00:46:14.413Z'), ['alert_closed']],
    ['Vulnerability Hook', of.vulnerability('dismissed', '2026-11-03T00:46:14.413Z')],
    ['Issue Hook', of.other('issue', { iid: 3, action: 'open' })],
    ['Issue Hook', of.other('work_item', { iid: 3, action: 'open', type: 'Task' })],
    ['Note Hook', of.other('note', { note: 'Hello', noteable_type: 'Commit', action: 'create' })],
    ['Wiki Page Hook', of.other('wiki_page', { slug: 'home', action: 'create' })],
    ['Pipeline Hook', of.other('pipeline', { id: 31, ref: 'main', status: 'success', stages: ['test'] })],
    ['Job Hook', { ...of.other('build'), ref: 'main', sha: sha('a'), build_id: 1977, build_status: 'created' }],
    ['Deployment Hook', { ...of.other('deployment'), status: 'success', deployment_id: 15, environment: 'staging' }],
    ['Feature Flag Hook', of.other('feature_flag', { id: 6, name: 'test', active: true })],
    ['Release Hook', { ...of.other('release'), action: 'create', tag: 'v1', assets: { count: 0, links: [] } }],
    ['Emoji Hook', of.other('emoji', { name: 'thumbsup', action: 'award', awardable_type: 'Note' })],
    ['Milestone Hook', { ...of.other('milestone', { iid: 1, state: 'active' }), action: 'create' }],
    ['Resource Access Token Hook', { ...of.other('access_token', { id: 25 }), event_name: 'expiring_access_token' }],
    ['Push Hook', of.other('constructor')],
    ['System Hook', of.repositoryUpdate],
    ['Member Hook', { event_name: 'user_add_to_group', group_path: group, group_name: group, group_id: 5 }],
    ['System Hook', of.ofUser('user_create')],
    ['System Hook', of.ofUser('user_rename', { old_username: 'bo' }), ['user_renamed']],
    ['System Hook', of.ofUser('key_create', { id: 4, key: 'ssh-ed25519 AAAA' })],
    ['Subgroup Hook', of.ofGroup('subgroup_create', `${group}/web`)],
    ['System Hook', of.ofGroup('group_create', `${group}/web`)],
    ['System Hook', of.ofProject('project_update'), kept],
    ['System Hook', of.ofProject('project_rename', { old_path_with_namespace: `${group}/store` }), kept],
    ['System Hook', of.ofProject('project_transfer', { old_path_with_namespace: 'other/shop' }), kept],
    ['System Hook', of.ofGroup('group_rename', `${group}/new`, { old_full_path: `${group}/old` }), ['group_renamed']],
    ['Subgroup Hook', of.ofGroup('subgroup_destroy', `${group}/web`), ['group_deleted']],
    ['System Hook', of.ofGroup('group_destroy', `${group}/web`), ['group_deleted']],
    ['Project Hook', of.ofProject('project_destroy'), ['repository_deleted']],
  ];
  return all;
}

test('every event that GitLab documents is taken and worked, those of kinds that change nothing as well', async () => {
  const shop = await connected();
  const { admin, table, group, tell } = shop;
  for (const [header, body, effects] of documented(shop))
    expect([header, await tell(header, body)]).toMatchObject([
      header,
      effects ? { outcome: 'handled', effects } : { outcome: 'ignored', effects: [] },
    ]);
  expect((await table.list(repositories, first)).data).toMatchObject([
    { fullName: `${group}/shop`, externalId: '9', visibility: 'public', status: 'deleted' },
  ]);
  const branches = (await table.list(codeBranches, first)).data;
  expect(branches.map(({ name, headCommit, protected: isOn }) => [name, headCommit, isOn]).toSorted()).toEqual([
    ['main', sha('a'), true],
    ['next', sha('c'), true],
  ]);
  // the report of the alert that was resolved has been read by now, or is read of a repository that is gone
  await eventually(async () => expect((await admin.ok('listFindings', {})).totalCount).toBe(0));
  await expectExact(table, [repositories, codeBranches]);
});

test('the projects of a group and of a user follow when these get another path', async () => {
  const { table, group, tell, of } = await connected();
  const names = async () => (await table.list(repositories, first)).data.map(({ fullName }) => fullName);
  await tell('Push Hook', of.push);
  await tell('System Hook', of.ofGroup('group_rename', `${group}-2`, { old_full_path: group }));
  expect(await names()).toEqual([`${group}-2/shop`]);
  await tell('System Hook', of.ofUser('user_rename', { username: 'bo', old_username: `${group}-2` }));
  expect(await names()).toEqual(['bo/shop']);
  await tell('System Hook', of.ofUser('user_rename', { username: 'eve', old_username: 'b' }));
  expect(await names()).toEqual(['bo/shop']);
});

test('a body that comes again is another event, such as a branch that is put back and forth; a delivery is taken once', async () => {
  const { admin, table, lab, send, tell, of } = await connected();
  const [there, back] = [
    { ...of.push, before: sha('a'), after: sha('b') },
    { ...of.push, before: sha('b'), after: sha('a') },
  ];
  for (const body of [there, back, there]) await tell('Push Hook', body);
  expect((await table.list(codeBranches, first)).data).toMatchObject([{ name: 'main', headCommit: sha('b') }]);
  const id = newId();
  expect(await send('Push Hook', back, id)).toMatchObject({ body: { duplicate: false } });
  expect(await send('Push Hook', back, id)).toMatchObject({ status: 200, body: { duplicate: true } });
  expect(await send('Push Hook', there, id)).toMatchObject({ status: 401 });
  await outcomeOf(admin, lab, id);
  expect((await table.list(codeBranches, first)).data).toMatchObject([{ headCommit: sha('a') }]);
});

test('keys distinguish events that share a UUID because one follows from another', async () => {
  const { admin, lab, of } = await connected();
  const url = new URL(lab.webhookUrl);
  const send = (key: string, body: object) =>
    system.client().send('POST', url.pathname, {
      query: Object.fromEntries(url.searchParams),
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        'x-gitlab-token': lab.webhookSecret,
        'idempotency-key': key,
        'x-gitlab-event': 'Push Hook',
        'x-gitlab-event-uuid': 'shared',
      },
    });
  expect(await send('one', of.push)).toMatchObject({ status: 200, body: { deliveryId: 'one', duplicate: false } });
  expect(await send('one', of.push)).toMatchObject({ status: 200, body: { deliveryId: 'one', duplicate: true } });
  expect(await send('two', of.tagPush)).toMatchObject({ status: 200, body: { deliveryId: 'two', duplicate: false } });
  for (const id of ['one', 'two']) expect(await outcomeOf(admin, lab, id)).toMatchObject({ outcome: 'handled' });
});
