import { beforeAll, expect, test } from 'vitest';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { end, makeTask, take } from '../support/apex.ts';
import { nmapReport } from '../support/recorded.ts';
import { startSystem, type TestMachine, type TestOrganization } from '../support/system.ts';
import { finished } from '../support/wait.ts';

const system = startSystem();
const host = (value: string, zone?: string) => ({ type: 'host' as const, value, ...(zone && { zone }) });

let organization: TestOrganization;
let appliance: TestMachine;
let engagementId: string;
beforeAll(async () => {
  organization = await system.newOrganization();
  const targets = [host('localhost', 'lab'), host('localhost', 'office'), host('10.0.0.6', 'lab')];
  const body = { title: 'Zones', kind: 'penetration_test' as const, targets, taskTypes: [] };
  const { taskId, resource } = await organization.admin.ok('createEngagement', { body });
  await finished(organization.admin, taskId);
  engagementId = resource?.id ?? '';
  await organization.table.modify(engagements, engagementId, ({ status }) =>
    status === 'scheduled' ? undefined : ({ status: 'scheduled' } as const),
  );
  appliance = await organization.machine('apex');
});

/** A task that the appliance holds. */
async function lease(targets: ReturnType<typeof host>[] = []): Promise<string> {
  const { id } = await makeTask(organization, engagementId, { targets });
  await take(appliance);
  return id;
}

const report = async (taskId: string, targets: ReturnType<typeof host>[]) =>
  appliance.client.ok('reportApexFindings', {
    body: {
      taskId,
      findings: targets.map((target, n) => ({ externalId: `${n}`, title: 'Open', severity: 'low' as const, target })),
    },
  });

const assets = async () => {
  const { data } = await organization.admin.ok('listFindings', { query: { engagementId, paginateSize: 500 } });
  return data.map(({ asset }) => `${asset.name} ${asset.zone}`);
};

test('a finding is in the zone of its target and neither closes nor hides the finding of another host', async () => {
  const taskId = await lease();
  const given = [
    host('10.0.0.6'),
    host('localhost', 'office'),
    host('localhost'),
    host('10.0.0.6', 'office'),
    host('10.0.0.7'),
  ];
  const answer = await report(taskId, given);
  expect(answer.results.map(({ accepted, code }) => code ?? accepted)).toEqual([
    true,
    true,
    'validation_failed',
    'out_of_scope',
    'out_of_scope',
  ]);
  await expect.poll(async () => (await assets()).sort()).toEqual(['10.0.0.6 lab', 'localhost office']);
});

test("findings of a tool's report lie in the zone of the task", async () => {
  const taskId = await lease([host('localhost', 'lab')]);
  await end(appliance, taskId, 'completed', { reports: [nmapReport] });
  await expect.poll(assets).toContain('localhost lab');
  expect(await assets()).not.toContain('localhost null');
});

test.each([host('localhost'), host('10.0.0.6', 'office')])(
  'no task is made for %o, which is another host than the agreed one',
  async (target) => {
    const body = { engagementId, type: 'reconnaissance' as const, objective: 'Look.', targets: [target] };
    const answer = await organization.admin.call('createApexTask', { body });
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'targets.0' }] } });
  },
);
