import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { unstorable } from '#shared/platform/runtime/storable.ts';
import { openEngagement } from '../support/apex.ts';
import { giveTask } from '../support/held-task.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { runs } from '../support/tier.ts';

const system = startSystem();
let ours: TestOrganization;
let engagementId = '';

beforeAll(async () => {
  ours = await system.newOrganization();
  engagementId = await openEngagement(ours);
});

const ask = (parameters: unknown) =>
  ours.admin.send('POST', '/api/v1/validation-operations/apex/tasks', {
    body: { engagementId, type: 'reconnaissance', objective: 'Look around.', parameters },
  });

describe('a value that no record can hold is refused with the name of its field', () => {
  test.each<[string, unknown, string]>([
    ['2^53', { deep: [1, { a: 2 ** 53 }] }, 'parameters.deep.1.a'],
    ['1e300', { rate: 1e300 }, 'parameters.rate'],
    ['-1e300', { rate: -1e300 }, 'parameters.rate'],
    ['1e-200', { rate: 1e-200 }, 'parameters.rate'],
    ['a field named constructor', { a: { constructor: 'x' } }, 'parameters.a.constructor'],
    ['a field without a name', { a: { '': 1 } }, 'parameters.a.'],
  ])('%s', async (_, parameters, path) => {
    expect(await ask(parameters)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', details: [{ path, message: expect.stringMatching(/^must /) }] },
    });
  });

  test('in the output of one result, which loses none of the others', async () => {
    const { client, id } = await ours.machine('apex');
    const [odd, good] = [await giveTask(ours.table, id), await giveTask(ours.table, id)];
    const results = [
      { taskId: odd.id, outcome: 'completed', output: { score: 1e-200 } },
      { taskId: good.id, outcome: 'completed', output: { score: 0.5 } },
    ];
    const answer = await client.ok('completeApexTasks', { body: { results } });
    expect(answer.results).toMatchObject([
      { taskId: odd.id, accepted: false, message: expect.stringMatching(/^output\.score: must be 0 or a number/) },
      { taskId: good.id, accepted: true },
    ]);
  });
});

test('a progress that the table cannot distinguish from 0 is 0, and costs the machine no lease', async () => {
  const { client, id } = await ours.machine('apex');
  const task = await giveTask(ours.table, id);
  const running = [{ taskId: task.id, progress: 1e-200 }];
  const body = { state: 'busy' as const, running, resources: { cpuPercent: 5e-324, memoryPercent: 1e300 } };
  expect(await client.ok('updateApexSession', { body })).toMatchObject({ leases: [{ taskId: task.id }] });
});

test('what is taken comes back as it was sent, whatever numbers and names it holds', async () => {
  const name = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text !== '__proto__');
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, fc.jsonValue({ maxDepth: 4 }), { maxKeys: 4 }), async (made) => {
      const sent = JSON.parse(JSON.stringify(made).replaceAll('"__proto__"', '"proto"'));
      const { status, body } = await ask(sent);
      expect(status).toBe(unstorable(sent) ? 400 : 200);
      if (status !== 200) return;
      const { parameters } = await ours.admin.ok('getApexTask', { params: { id: Object(body).id } });
      expect(parameters).toEqual(sent);
    }),
    { numRuns: runs(6, 60) },
  );
});
