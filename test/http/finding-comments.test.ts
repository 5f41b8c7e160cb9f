import { expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
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
  const changed = await ann.ok('updateFindingComment', { params: own, body: { text: 'Seen in test only' } });
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
