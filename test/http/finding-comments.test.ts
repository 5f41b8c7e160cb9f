import { expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import { users } from '#shared/people/user.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { findingDraft } from '../support/findings.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();

test('a comment is read by all, and changed and deleted by its author alone', async () => {
  const organization = await system.newOrganization();
  const [ann, bob, viewer] = await Promise.all([
    organization.withRole('analyst'),
    organization.withRole('analyst'),
    organization.withRole('viewer'),
  ]);
  const { table } = organization;
  const [one, other] = [await table.create(findings, findingDraft('2026-01-05T08:00:00.000Z')), { id: newId() }];
  const params = { id: one.id };
  const body = { text: 'Seen in **production** <script>' };
  const comment = await ann.ok('createFindingComment', { params, body });
  expect(comment).toMatchObject({ ...body, findingId: one.id, version: 1, createdBy: { name: 'analyst' } });
  const own = { ...params, commentId: comment.id };
  expect(await bob.call('updateFindingComment', { params: own, body: { text: 'no' } })).toMatchObject({
    status: 400,
    body: { code: 'conflict', message: 'Only the author of a comment can change or delete it.' },
  });
  expect(await bob.call('deleteFindingComment', { params: own })).toMatchObject({ status: 400 });
  expect(await viewer.call('createFindingComment', { params, body })).toMatchObject({ status: 401 });
  const newText = { text: 'Seen in test only' };
  const { unresolved, ...changed } = await ann.ok('updateFindingComment', { params: own, body: newText });
  expect(unresolved).toEqual([]);
  expect(await viewer.ok('listFindingComments', { params, query: {} })).toMatchObject({
    data: [changed],
    totalCount: 1,
  });
  const wrong = { id: other.id, commentId: comment.id };
  expect(await ann.call('deleteFindingComment', { params: wrong })).toMatchObject({ body: { code: 'not_found' } });
  expect(await ann.call('createFindingComment', { params: other, body })).toMatchObject({
    body: { code: 'not_found' },
  });
  await ann.ok('deleteFindingComment', { params: own });
  expect((await viewer.ok('listFindingComments', { params, query: {} })).data).toEqual([]);
});

test('a comment names people by name and address; its author learns of names that lead to nobody or to several', async () => {
  const organization = await system.newOrganization();
  const [ana, other, reader] = await Promise.all([
    organization.person('analyst'),
    organization.person('viewer'),
    organization.withRole('viewer'),
  ]);
  const named = await organization.table.findMany(users, [ana.id, other.id]);
  const [first, second] = [ana, other].map(({ id }) => named.find((user) => user.id === id));
  if (!first || !second) throw new Error('the organization has two people');
  await organization.table.update(users, second, { name: 'Ana Braun' });
  const { id } = await organization.table.create(findings, findingDraft('2026-01-05T08:00:00.000Z'));
  const params = { id };
  const analyst = await organization.withRole('analyst');
  const text = `@[Ana Lima] and @${second.email}, see \`@Injectable\` and a@b.example; @ana @nobody`;
  const comment = await analyst.ok('createFindingComment', { params, body: { text } });
  expect(comment.mentions.map(({ name }) => name).sort()).toEqual(['Ana Braun', 'Ana Lima']);
  expect(comment.unresolved).toMatchObject([
    { text: '@ana', reason: 'ambiguous', candidates: [{}, {}] },
    { text: '@nobody', reason: 'unknown', candidates: [] },
  ]);
  const changed = await analyst.ok('updateFindingComment', {
    params: { ...params, commentId: comment.id },
    body: { text: 'for @lima' },
  });
  expect([changed.mentions, changed.unresolved]).toEqual([[{ id: first.id, name: 'Ana Lima' }], []]);
  expect((await reader.ok('listFindingComments', { params, query: {} })).data[0]?.mentions).toEqual(changed.mentions);
});

test('a person follows a finding and leaves it; a program is told to read events', async () => {
  const organization = await system.newOrganization();
  const { table } = organization;
  const { id } = await table.create(findings, findingDraft('2026-01-05T08:00:00.000Z'));
  const params = { id };
  const ana = await organization.person('viewer');
  const program = await organization.apiKey(['findings:read']);
  expect((await ana.ok('followFinding', { params })).data).toMatchObject([{ id: ana.id }]);
  expect((await ana.ok('followFinding', { params })).data).toHaveLength(1);
  expect((await program.ok('listFindingFollowers', { params })).data).toMatchObject([{ id: ana.id }]);
  expect(await program.call('followFinding', { params })).toMatchObject({ body: { code: 'conflict' } });
  expect((await ana.ok('unfollowFinding', { params })).data).toEqual([]);
  expect(await ana.call('followFinding', { params: { id: newId() } })).toMatchObject({
    body: { code: 'not_found' },
  });
});
