import { afterAll, expect, test } from 'vitest';
import { keepBranch } from '#shared/code/sync/keep-branch.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { startWorld } from '../../../functions/workers/imports/world.ts';
import { makeRepository } from '../../../support/repositories.ts';

const world = await startWorld();
afterAll(() => world.stop());

const sha = (letter: string) => letter.repeat(40);

/** A branch of GitLab, which tells no time of a push: a commit of an hour ago, pushed, and deleted just now. */
async function deleted() {
  const table = world.newOrganization();
  const repository = await makeRepository(table, 'codehost_b');
  const hosted = { connections: world.connections, table, integrationId: repository.integrationId, host: 'gitlab.com' };
  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
  const made = {
    name: 'fix',
    headCommit: sha('a'),
    formerCommit: null,
    headCommittedAt: anHourAgo,
    at: anHourAgo,
    isPushTime: false,
    isDeleted: false,
  };
  const keep = (told: object, laterMs = 0) => {
    const receivedAt = new Date(Date.now() + laterMs).toISOString();
    return keepBranch({ ...hosted, vendor: 'codehost_b', receivedAt }, repository, { ...made, ...told });
  };
  await keep({});
  const end = { headCommit: null, formerCommit: sha('a'), headCommittedAt: null, isDeleted: true, at: now() };
  expect(await keep(end)).toMatchObject({ status: 'deleted', headCommit: sha('a') });
  return keep;
}

test('a branch of GitLab that is deleted and pushed again is there again, also with the same commits', async () => {
  const keep = await deleted();
  expect(await keep({}, 120_000)).toMatchObject({ status: 'active', headCommit: sha('a') });
  const other = await deleted();
  expect(await other({ headCommit: sha('b') }, 120_000)).toMatchObject({ status: 'active', headCommit: sha('b') });
});

test('the push that made a branch does not bring it back when it comes after the deletion', async () => {
  const keep = await deleted();
  expect(await keep({}, 2_000)).toMatchObject({ status: 'deleted' });
});
