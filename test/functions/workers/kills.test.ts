import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, expect, test } from 'vitest';
import { showSource } from '#functions/soc/siem/show-sources.ts';
import { ensureQueues, queueDeclarations } from '#local/queue-setup.ts';
import { startQueues } from '#local/queues.ts';
import { redrive } from '#local/redrive.ts';
import { putSealed } from '#shared/apex/completion.ts';
import type { Answer } from '#shared/apex/llm-completion.ts';
import { BILLING, deliveryWrites } from '#shared/code/integrations/deliveries.ts';
import { webhookEndpoints } from '#shared/events/webhook-endpoint.ts';
import { type JobName, jobNames } from '#shared/platform/jobs/jobs.ts';
import type { Operation } from '#shared/platform/jobs/operations.ts';
import { sendMessage } from '#shared/platform/jobs/send.ts';
import { newTask, sendTask, taskRows } from '#shared/platform/jobs/task.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { ReportSettings, reports } from '#shared/reporting/report.ts';
import { keepBatch, siemBatches } from '#shared/soc/siem/batches.ts';
import { sourceOf } from '#shared/soc/siem/sources.ts';
import { actor } from '../../support/actor.ts';
import { makeIntegration } from '../../support/integrations.ts';
import { until } from '../../support/wait.ts';
import { makeEndpoint } from '../../support/webhook-endpoints.ts';
import { codeScan, problems, sarif } from './imports/reports.ts';
import { startWorld } from './imports/world.ts';

/*
 * The process of a worker is killed twice in the same message, in each job, with real queues: what names the message fails with a reason,
 * the message behind it in its group is worked, and a redrive works the first.
 */

const file = fileURLToPath(new URL('./killed-worker.ts', import.meta.url));

const world = await startWorld();
const engine = await startQueues({});
const client = new SQSClient({ endpoint: engine.endpoint });
const queues = await ensureQueues(client, queueDeclarations());
const running = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  client.destroy();
  await Promise.all([engine.stop(), world.stop()]);
});

const places = { QUEUE_URL_PREFIX: `${engine.endpoint}/000000000000/`, SQS_ENDPOINT: engine.endpoint };

function startProcess(job: JobName, haltsAt: number): ChildProcess {
  const env = { ...process.env, ...places, POWERTOOLS_LOG_LEVEL: 'SILENT' };
  const child = fork(file, [job, String(haltsAt)], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Kills the process of a worker in its work, before so many commands after the attempt was counted. */
async function killIn(job: JobName, haltsAt: number): Promise<void> {
  const child = startProcess(job, haltsAt);
  const ended = once(child, 'exit');
  await Promise.race([once(child, 'message'), ended.then(() => Promise.reject(new Error(`${job} ended too early`)))]);
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
}

/** The task or the batch of events that a message names. */
type Named = { failure(): Promise<string | undefined>; isWorked(): Promise<boolean> };
type Request = { operation: Operation; input: Record<string, unknown> };

/** Work that succeeds, and that each further attempt at the message does again. */
const requests: Record<
  Exclude<JobName, 'ingest' | 'siem' | 'deliveries'>,
  (table: Table, id: string) => Promise<Request>
> = {
  engagements: async () => ({ operation: 'open_windows', input: { engagementId: newId() } }),
  apex: async () => ({ operation: 'stop_all_apex', input: { work: 'stop-all' } }),
  maintenance: async () => ({ operation: 'maintenance_verify', input: { work: 'verify' } }),
  exports: async () => ({ operation: 'export_assets', input: { format: 'csv', selection: {} } }),
  async reports(table) {
    const [settings, none] = [
      ReportSettings.parse({ kind: 'accepted_risks' }),
      { templateId: null, scheduleId: null, endpointIds: [] },
    ];
    const unmade = { error: null, asOf: null, factsHash: null, headline: null, tables: [], deliveries: [], ...none };
    const draft = { ...settings, ...unmade, status: 'queued' as const, taskId: newId(), sight: '', series: '' };
    return { operation: 'make_report', input: { reportId: (await table.create(reports, draft)).id } };
  },
  views: async () => ({ operation: 'maintenance_views', input: {} }),
  webhooks: async () => ({
    operation: 'receive_delivery',
    input: { integrationId: newId(), deliveryId: 'deleted', event: 'push' },
  }),
  async hosts(table, account) {
    const secret = { webhook: 'whsec_', access: { token: 'token' } };
    const { id } = await makeIntegration({ connections: world.connections, table }, secret, { account });
    return { operation: 'revoke_clone_tokens', input: { integrationId: id, revocations: [] } };
  },
  async billing(table, taskId) {
    const [deliveryId, event] = [newId(), 'product.created'];
    const row = { integrationId: BILLING, deliveryId, taskId, event, sizeBytes: 2, receivedAt: now() };
    const place = { table, bucket: world.connections.bucket };
    const { writes } = await deliveryWrites(place, row, { body: '{}', hash: deliveryId, group: 'same' });
    const batch = table.batch();
    batch.write(...writes);
    await batch.commit();
    return { operation: 'receive_billing_event', input: { deliveryId, event } };
  },
  mail: async () => ({
    operation: 'send_letter',
    input: {
      to: 'ana@example.org',
      subject: 'Hello',
      paragraphs: ['Hello.'],
      link: {
        label: 'Sign in',
        page: '/sign-in',
        ticket: { purpose: 'sign_in', seconds: 60, data: { personId: newId() } },
      },
    },
  }),
  ticketing: async () => ({ operation: 'apply_ticket_rule', input: { ruleId: newId() } }),
  async completions({ organizationId }, id) {
    const answer: Answer = {
      message: { role: 'assistant', content: 'Done.', toolCalls: [] },
      finishReason: 'stop',
      usage: { inputTokens: 1, outputTokens: 1 },
      model: 'test',
    };
    await putSealed(world.connections, { organizationId, id, part: 'answer' }, answer);
    return { operation: 'apex_llm_completion', input: { taskId: newId() } };
  },
};

function namedTask(table: Table, id: string): Named {
  const read = () => world.task(table, id);
  return {
    failure: async () => (await read()).error?.code,
    isWorked: async () => (await read()).status === 'succeeded',
  };
}

async function queueTask(table: Table, job: keyof typeof requests): Promise<Named> {
  const id = newId();
  const task = newTask(actor(), { id, job, unit: 'things', ...(await requests[job](table, id)) });
  await table.rows(taskRows).put(task);
  await sendTask(world.connections, table, task, { group: 'same' });
  return namedTask(table, id);
}

async function queueBatch(table: Table, collectorId: string): Promise<Named> {
  const [name, format] = ['app', 'auto'] as const;
  const batchId = newId();
  const content = Buffer.from(`<86>1 ${now()} web-01 sshd 7 - - ${batchId}`);
  await keepBatch({ table, connections: world.connections }, { collectorId, batchId, source: name, format, content });
  return {
    failure: async () => (await showSource(table, await sourceOf(table, { collectorId, name, format }))).failure?.code,
    isWorked: async () => (await table.rows(siemBatches).find({ collectorId, batchId }, true))?.status === 'done',
  };
}

/** An endpoint on a port of nobody is called, and the call is noted. */
async function queueEndpoint(table: Table): Promise<Named> {
  const { id: readerId } = await makeEndpoint({ connections: world.connections, table });
  const message = { organizationId: table.organizationId, kind: 'webhook', readerId };
  await sendMessage(world.connections, 'deliveries', message, { group: 'same', deduplicationId: newId() });
  const code = async () => (await table.get(webhookEndpoints, readerId, true)).error?.code;
  return {
    failure: async () => ((await code()) === 'not_taken' ? undefined : await code()),
    isWorked: async () => (await code()) === 'not_taken',
  };
}

/** Queues two things of one message group. */
async function queueTwo(table: Table, job: JobName): Promise<[Named, Named]> {
  const collectorId = newId();
  const queue = async () => {
    if (job === 'siem') return queueBatch(table, collectorId);
    if (job === 'deliveries') return queueEndpoint(table);
    if (job !== 'ingest') return queueTask(table, job);
    return namedTask(table, await world.accept(table, codeScan(sarif(problems(3)))));
  };
  const two: [Named, Named] = [await queue(), await queue()];
  const ours = world.messages.filter(({ body }) => body.includes(table.organizationId));
  expect(new Set(ours.map(({ group }) => group)).size).toBe(1);
  for (const { id, body, group } of ours)
    await client.send(
      new SendMessageCommand({
        QueueUrl: queueOf(job).url,
        MessageBody: body,
        MessageGroupId: group,
        MessageDeduplicationId: id,
      }),
    );
  return two;
}

function queueOf(job: JobName) {
  const queue = queues.find(({ name }) => name === job);
  if (!queue) throw new Error(`the job ${job} has no queue`);
  return queue;
}

async function deadLetters(job: JobName): Promise<number> {
  const { deadLetterUrl: QueueUrl } = queueOf(job);
  const name = 'ApproximateNumberOfMessages';
  const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [name] }));
  return Number(Attributes?.[name]);
}

const isTrue = (value: boolean) => value;

async function killTwice(job: JobName): Promise<void> {
  const [poison, next] = await queueTwo(world.newOrganization(), job);
  await killIn(job, 1);
  await killIn(job, 2);
  const worker = startProcess(job, 0);
  expect(await until(poison.failure, (code) => code !== undefined)).toBe('worker_died');
  await until(next.isWorked, isTrue);
  await until(
    () => deadLetters(job),
    (count) => count === 1,
  );
  expect(await poison.isWorked()).toBe(false);
  await redrive(client, queueOf(job));
  await until(poison.isWorked, isTrue);
  expect(await poison.failure()).toBeUndefined();
  worker.kill('SIGKILL');
}

const NAME =
  'a message of %s in which the process is killed twice fails with a reason, the next one is worked, and a redrive works it';

// first and alone: an import of the others would wake the views, and the worker would halt in that message
test.each(['views'] as const)(NAME, killTwice);
test.concurrent.each(jobNames.filter((job) => job !== 'views'))(NAME, killTwice);
