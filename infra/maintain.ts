import { parseArgs } from 'node:util';
import { organizations } from '#shared/entities/organization.ts';
import { queueMany } from '#shared/findings/many/queue.ts';
import { queueTask } from '#shared/jobs/outbox.ts';
import { makeConnections } from '#shared/runtime/connections.ts';
import { GLOBAL_SCOPE } from '#shared/table/layout/keys.ts';
import { openTable } from '#shared/table/table.ts';
import { readStackSettings, stackOptions } from './stack-settings.ts';

/** Queues maintenance for every organization of a stack, after a release with new counters or search words or as a check:
 *
 *     npm run maintain -- --stack exposure-main-production rekey
 *     npm run maintain -- --stack exposure-main-production verify [--repair]
 *     npm run maintain -- --stack exposure-main-production respell
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { ...stackOptions, repair: { type: 'boolean', default: false } },
});
const work = (['rekey', 'verify', 'respell'] as const).find((name) => name === positionals[0]);
if (!work) {
  console.error('usage: npm run maintain -- --stack NAME rekey | verify [--repair] | respell');
  process.exit(64);
}
const connections = makeConnections(readStackSettings(values));
const pageSize = 500;
for (let from = 0, total = 1; from < total; from += pageSize) {
  const page = await openTable(connections.dynamo, GLOBAL_SCOPE).list(organizations, {
    paginateFrom: from,
    paginateSize: pageSize,
  });
  total = page.totalCount;
  for (const { id, name } of page.data) {
    const table = openTable(connections.dynamo, id);
    const { taskId } =
      work === 'respell'
        ? await queueMany(connections, table, { operation: 'respell_repositories', input: {} })
        : await queueTask(connections, table, {
            operation: `maintenance_${work}`,
            job: 'maintenance',
            unit: 'collections',
            input: { work, repair: values.repair },
            send: { group: id },
          });
    console.log(`${id}  task ${taskId}  ${name}`);
  }
}
connections.dynamo.client.destroy();
