import { parseArgs } from 'node:util';
import { queueMaintenance } from '#functions/maintenance/queue.ts';
import { MAINTENANCE } from '#functions/maintenance/work.ts';
import { organizations } from '#shared/entities/organization.ts';
import { makeConnections } from '#shared/runtime/connections.ts';
import { GLOBAL_SCOPE } from '#shared/table/layout/keys.ts';
import { openTable } from '#shared/table/table.ts';
import { readStackSettings, stackOptions } from './stack-settings.ts';

/** Queues maintenance for every organization of a stack, after a release with new counters or search words or as a check:
 *
 *     npm run maintain -- --stack exposure-main-production rekey
 *     npm run maintain -- --stack exposure-main-production verify [--repair]
 *     npm run maintain -- --stack exposure-main-production respell
 *     npm run maintain -- --stack exposure-main-production views
 *     npm run maintain -- --stack exposure-main-production restored
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { ...stackOptions, repair: { type: 'boolean', default: false } },
});
const work = MAINTENANCE.find((name) => name === positionals[0]);
if (!work) {
  console.error('usage: npm run maintain -- --stack NAME rekey | verify [--repair] | respell | views | restored');
  process.exit(64);
}
const connections = makeConnections(await readStackSettings(values));
const pageSize = 500;
for (let from = 0, total = 1; from < total; from += pageSize) {
  const page = await openTable(connections.dynamo, GLOBAL_SCOPE).list(organizations, {
    paginateFrom: from,
    paginateSize: pageSize,
  });
  total = page.totalCount;
  for (const { id, name } of page.data) {
    const table = openTable(connections.dynamo, id);
    const { taskId } = await queueMaintenance(connections, table, { work, repair: values.repair });
    console.log(`${id}  task ${taskId}  ${name}`);
  }
}
connections.dynamo.client.destroy();
