import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { handler } from '#functions/workers/completions/index.ts';
import { reserveTokens, tokensLeft } from '#shared/apex/budget.ts';
import { COMPLETION_OPERATION, COMPLETIONS_PREFIX, completionIdOf, putSealed } from '#shared/apex/completion.ts';
import { newTask, taskRows } from '#shared/platform/jobs/task.ts';
import { actor } from '../../../support/actor.ts';
import { loseTask } from '../../../support/held-task.ts';
import { said } from '../../../support/llm-server.ts';
import { appliance, server, withOpenAi, world } from './openai-world.ts';
import { newAppliance } from './world.ts';

withOpenAi();

describe('a budget', () => {
  test('that is too small for a call refuses it before the provider is called, and stays unchanged', async () => {
    const poor = await newAppliance(world.system, { limits: { maxTokens: 500, timeoutSeconds: null } });
    server.answer(() => said('never'));
    const { error } = await poor.ask({ maxTokens: 600 });
    expect(error).toMatchObject({ code: 'budget_exhausted', retryable: false });
    expect(server.asked).toEqual([]);
    expect(await tokensLeft(poor.organization.table, poor.task.id)).toBe(500);
  });

  test('is not exceeded by simultaneous calls', async () => {
    const poor = await newAppliance(world.system, { limits: { maxTokens: 1_000, timeoutSeconds: null } });
    server.answer(() => said('one'));
    const results = await Promise.all(Array.from({ length: 4 }, () => poor.ask({ maxTokens: 800 })));
    const used = results.filter(({ status }) => status === 'succeeded').length;
    expect(used).toBeGreaterThan(0);
    expect(await tokensLeft(poor.organization.table, poor.task.id)).toBe(1_000 - 30 * used);
  });
});

describe('only the holder of the task asks and reads', () => {
  test('an appliance spends no tokens for a task that it does not hold', async () => {
    const other = await newAppliance(world.system, {}, appliance.organization);
    const asking = (taskId: string) =>
      appliance.machine.client.call('submitCompletion', {
        body: { taskId, messages: [{ role: 'user', content: 'x' }] },
      });
    expect(await asking(other.task.id)).toMatchObject({ status: 400, body: { code: 'conflict' } });
    await loseTask(appliance.organization.table, appliance.machine.id);
    expect(await asking(appliance.task.id)).toMatchObject({ status: 400, body: { code: 'conflict' } });
  });

  test('only the machine that asked reads the answer', async () => {
    server.answer(() => said('secret'));
    const { requestID } = await appliance.submit();
    await appliance.read(requestID);
    const other = await newAppliance(world.system, {}, appliance.organization);
    const answer = await other.machine.client.call('getCompletion', { params: { requestID } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'not_found' } });
  });

  test('an answer is unreadable after a day', async () => {
    server.answer(() => said('old'));
    const { requestID } = await appliance.submit();
    await appliance.read(requestID);
    const createdAt = new Date(Date.now() - 86_401_000).toISOString();
    await appliance.organization.table.rows(taskRows).set({ id: requestID }, { createdAt });
    const answer = await appliance.machine.client.call('getCompletion', { params: { requestID } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'not_found' } });
  });
});

test('prompts and answers are readable nowhere in the table and the bucket', async () => {
  server.answer(() => said('the-answer-xyzzy'));
  const { requestID } = await appliance.submit({ messages: [{ role: 'user', content: 'the-prompt-plugh' }] });
  await appliance.read(requestID);
  const { dynamo, bucket } = world.local.connections;
  const { Items = [] } = await dynamo.client.send(new ScanCommand({ TableName: dynamo.tableName }));
  const table = JSON.stringify(Items, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  expect(table).toContain(requestID);
  expect(table).not.toMatch(/the-answer-xyzzy|the-prompt-plugh/);
  const place = `${COMPLETIONS_PREFIX}${appliance.organization.organizationId}/${requestID}`;
  const sealed = Buffer.from((await bucket.get(`${place}/answer`)) ?? '');
  expect(sealed.length).toBeGreaterThan(50);
  expect(sealed.includes('the-answer-xyzzy')).toBe(false);
  expect(await bucket.get(`${place}/prompt`)).toBeUndefined();
});

test('a repeated message does not call the provider after the answer was stored', async () => {
  server.answer(() => said('kept'));
  const { requestID } = await appliance.submit();
  await appliance.read(requestID);
  const { table, organizationId } = appliance.organization;
  const spent = await tokensLeft(table, appliance.task.id);
  // a worker that stopped after it kept the answer leaves this
  await table.rows(taskRows).set({ id: requestID }, { status: 'running', finishedAt: undefined, result: undefined });
  await deliver(organizationId, requestID);
  expect(await appliance.read(requestID)).toMatchObject({ status: 'succeeded', message: { content: 'kept' } });
  expect(server.asked).toHaveLength(1);
  expect(await tokensLeft(table, appliance.task.id)).toBe(spent);
});

/** The worker's own view of a message about a completion. */
async function deliver(organizationId: string, taskId: string, attributes: object = {}) {
  const record = { body: JSON.stringify({ organizationId, taskId }), messageId: 'm', attributes };
  return handler({ Records: [record] } as never, {} as never);
}

test('a repeated message does not call the provider while the first one is being worked', async () => {
  server.answer((_, n) => (n === 1 ? 'hang' : said('after all')));
  const { requestID } = await appliance.submit();
  while (server.asked.length === 0) await new Promise((done) => setTimeout(done, 10));
  const { batchItemFailures } = await deliver(appliance.organization.organizationId, requestID);
  expect([batchItemFailures.length, server.asked.length]).toEqual([1, 1]);
  expect(await appliance.read(requestID)).toMatchObject({ status: 'succeeded', message: { content: 'after all' } });
});

/** A completion whose worker died after it had reserved 600 of its task's 1000 tokens. */
async function reservedBefore() {
  const { organization, machine } = appliance;
  const { table } = organization;
  const limits = { maxTokens: 1000, timeoutSeconds: null };
  const { task } = await newAppliance(world.system, { limits }, organization);
  const request = { operation: COMPLETION_OPERATION, job: 'completions', unit: 'calls' } as const;
  const row = newTask(actor(machine.id), { ...request, input: { taskId: task.id } });
  const { id } = row;
  await table.rows(taskRows).put({ ...row, startedAt: '2026-01-01T00:00:00.000Z' });
  await reserveTokens(table, { id, taskId: task.id }, 600);
  const remaining = () => tokensLeft(table, task.id);
  expect(await remaining()).toBe(400);
  const place = { organizationId: organization.organizationId, id, part: 'prompt' as const };
  const work = (time: number) => deliver(place.organizationId, id, { ApproximateReceiveCount: String(time) });
  return { place, work, remaining };
}

test('an abandoned completion returns its reserved tokens, so that the budget is not lost', async () => {
  const { place, work, remaining } = await reservedBefore();
  await putSealed(world.local.connections, place, 'not to be understood');
  await work(1);
  expect(await remaining()).toBe(400);
  await work(3);
  expect(await remaining()).toBe(1000);
});

test('a completion that is redriven too late returns the tokens that the dead worker had reserved', async () => {
  const { work, remaining } = await reservedBefore();
  await work(1);
  expect(await remaining()).toBe(1000);
});

test('a submission that stopped before its message was sent continues when it is repeated', async () => {
  server.answer(() => said('late'));
  const { organization, machine, task } = appliance;
  const { organizationId } = organization;
  const id = completionIdOf({ machineId: machine.id, taskId: task.id, key: 'k' });
  const prompt = { model: 'default', messages: [{ role: 'user', content: 'x' }] };
  await putSealed(world.local.connections, { organizationId, id, part: 'prompt' }, prompt);
  const request = { id, operation: COMPLETION_OPERATION, job: 'completions', unit: 'calls' } as const;
  const createdAt = new Date(Date.now() - 120_000).toISOString();
  const row = { ...newTask(actor(machine.id), { ...request, input: { taskId: task.id } }), createdAt };
  await organization.table.rows(taskRows).put(row, 'absent');
  expect((await appliance.submit({ idempotencyKey: 'k' })).requestID).toBe(id);
  expect(await appliance.read(id)).toMatchObject({ status: 'succeeded', message: { content: 'late' } });
});
