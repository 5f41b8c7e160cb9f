import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Verdict } from '#shared/code/code-hosts/code-host.ts';
import { github } from '#shared/code/code-hosts/github/api.ts';
import { gitlab } from '#shared/code/code-hosts/gitlab/api.ts';
import { listDeliveries } from '#shared/platform/outgoing/delivery-list.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import { noteCallsNotNeeded, recorderOf } from '#shared/platform/outgoing/record-call.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { githubRepository, startGithub } from '../../../support/code-hosts/github.ts';
import { gitlabProject, startGitlab, TOKEN } from '../../../support/code-hosts/gitlab.ts';
import { reachOfTests } from '../../../support/network.ts';
import { startWorld } from '../imports/world.ts';

const verdict: Verdict = {
  id: 'scan-1',
  commit: 'a'.repeat(40),
  ref: 'fix',
  pullRequest: 5,
  state: 'failed',
  hasNew: true,
  renews: false,
  ...{ title: '1 new finding', summary: '- `SQL injection`', link: 'https://exposure.example/x', annotations: [] },
};
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const app = { appId: '77', installationId: '5', privateKey: pem };

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** The calls of a task in the ledger, in their order: whatever was called. */
function task() {
  const table = world.newOrganization();
  const [targetId, taskId] = [newId(), newId()];
  const about = { targetId, channel: 'code_host' as const, subject: 'repository/1' };
  return {
    record: recorderOf({ table }, { ...about, work: { taskId, group: 'g' } }),
    async end() {
      await noteCallsNotNeeded(table, targetId, taskId);
      const { data } = await listDeliveries(table, { targetId, limit: 50 });
      return data.map(({ type, status }) => `${type} ${status}`).sort();
    },
  };
}

describe('the first code host has what it took, and the ledger says so', () => {
  test.each([
    ['POST', /\/statuses\/\w+$/],
    ['POST', /\/check-runs$/],
    ['PATCH', /\/check-runs\/\d+$/],
    ['POST', /\/comments$/],
  ])('although the answer to %s %s was lost', async (method, end) => {
    const hub = await startGithub();
    hub.app = { id: '77', publicKey };
    hub.repositories.push(githubRepository(1, 'till'));
    const { record, end: ended } = task();
    const place = { account: 'octo-shop', baseUrl: hub.url, ...reachOfTests() };
    const repository = { externalId: '1', fullName: 'octo-shop/till' };
    if (method === 'PATCH') await (await github(place, { app })).tell(repository, { ...verdict, state: 'pending' });
    const api = await github({ ...place, record }, { app });
    hub.lose({ method, end });
    await expect(api.tell(repository, verdict)).rejects.toThrow(HostError);
    await api.tell(repository, verdict);
    expect(await ended()).toEqual(['code_host.check sent', 'code_host.comment sent', 'code_host.status sent']);
    expect([hub.told.checks, hub.told.comments].map(({ length }) => length)).toEqual([1, 1]);
    await hub.stop();
  });
});

describe('the second code host has what it took, and the ledger says so', () => {
  test.each([
    ['POST', /\/statuses\/\w+$/],
    ['POST', /\/notes$/],
  ])('although the answer to %s %s was lost', async (method, end) => {
    const lab = await startGitlab();
    lab.projects.push(gitlabProject(1, 'till'));
    const { record, end: ended } = task();
    const repository = { externalId: '1', fullName: 'octo-shop/till' };
    const api = await gitlab({ account: 'octo-shop', baseUrl: lab.url, ...reachOfTests(), record }, TOKEN);
    lab.lose({ method, end });
    await expect(api.tell(repository, verdict)).rejects.toThrow(HostError);
    await api.tell(repository, verdict);
    expect(await ended()).toEqual(['code_host.comment sent', 'code_host.status sent']);
    expect(lab.told.notes).toHaveLength(1);
    await lab.stop();
  });
});
