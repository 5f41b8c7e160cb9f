import { parseArgs } from 'node:util';
import { SQSClient } from '@aws-sdk/client-sqs';
import { jobNames } from '#shared/platform/jobs/jobs.ts';
import { ensureQueues, queueDeclarations } from './queue-setup.ts';
import { redrive } from './redrive.ts';
import { dataDirOption, openRunning } from './running-system.ts';

/**
 * `npm run redrive -- [job ...]`: sends the dead letters of the running local system back to their queues; only for the
 * named jobs, if any.
 */
const { values, positionals } = parseArgs({ allowPositionals: true, options: dataDirOption });
const unknown = positionals.filter((name) => !jobNames.some((job) => job === name));
if (unknown.length > 0) {
  console.error(`no such job: ${unknown.join(', ')}; there are ${jobNames.join(', ')}`);
  process.exit(64);
}
const system = await openRunning(values);
const client = new SQSClient({ endpoint: process.env.SQS_ENDPOINT });
const wanted = queueDeclarations().filter(({ name }) => positionals.length === 0 || positionals.includes(name));
for (const queue of await ensureQueues(client, wanted)) console.log(`${queue.name}  ${await redrive(client, queue)}`);
client.destroy();
await system.close();
