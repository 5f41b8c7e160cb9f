/*
 * The worker of one job, in a process that a test kills: `killed-worker.ts <job> <command>`. After the attempt at a message is counted, the
 * worker halts before so many commands to the engines and reports it. 0: the worker never halts.
 */

import { SQSClient } from '@aws-sdk/client-sqs';
import { workers } from '#functions/workers/contract.ts';
import { ensureQueues, queueDeclarations } from '#local/queue-setup.ts';
import { startWorker } from '#local/worker.ts';
import { openConnections } from '#shared/platform/runtime/connections.ts';
import { guardEngines, isWrite, type Pass } from './imports/crash.ts';

const [job, haltsAt] = process.argv.slice(2);
const worker = workers.find((one) => one.job === job);
if (!worker) throw new Error(`no worker of ${job}`);

/** The first write of a delivery counts the attempt. */
let isCounted = false;
let left = Number(haltsAt);

const pass: Pass = async (command, run) => {
  if (isCounted && --left === 0) {
    process.send?.(command);
    await new Promise(() => undefined);
  }
  const answer = await run();
  isCounted ||= isWrite(command);
  return answer;
};

await guardEngines(openConnections(), pass);
const client = new SQSClient({ endpoint: process.env.SQS_ENDPOINT });
const declarations = queueDeclarations().filter(({ name }) => name === job);
/** A message of a killed worker comes again after this time, not after twice the time limit of its job. */
const visibilityTimeoutSeconds = 2;
const queues = await ensureQueues(
  client,
  declarations.map((one) => ({ ...one, visibilityTimeoutSeconds })),
);
await startWorker(client, queues, worker);
process.once('disconnect', () => process.exit());
