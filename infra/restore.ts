import { parseArgs } from 'node:util';
import * as z from 'zod';
import { makeConnections } from '#shared/platform/runtime/connections.ts';
import { maintainAll } from './maintain-all.ts';
import { keepDeletions } from './restore/deletions.ts';
import { restoreObjects } from './restore/objects.ts';
import { copyPast } from './restore/organization.ts';
import { keepSecrets } from './restore/secrets.ts';
import { keepKeySet, protectTable, restoredName, restoreTable } from './restore/table.ts';
import { setWorkers, waitForWorkers } from './restore/workers.ts';
import { readStackSettings, stackOptions } from './stack-settings.ts';

/**
 * Restores a stack to an earlier time (docs/restore.md):
 *
 *     npm run restore -- --stack exposure-main-production --at 2026-01-31T10:00:00Z
 * It stops the workers, waits for the end of their work, restores the table beside the live one, and restores the
 * objects. Once the stack is deployed with that
 * table, the same command settles scans and tasks and starts the workers. It may be stopped and repeated at any step.
 * With `--organization ID` it stops nothing and only copies the organization at that time, so that staff can restore
 * it.
 */
const { values } = parseArgs({
  options: { ...stackOptions, at: { type: 'string' }, organization: { type: 'string' } },
});
const at = z.iso.datetime({ offset: true }).safeParse(values.at);
if (!values.stack || !at.success) {
  console.error(
    'usage: npm run restore -- --stack NAME --at 2026-01-31T10:00:00Z [--organization ID] [--region REGION]',
  );
  process.exit(64);
}
const stack = values.stack;
const connections = makeConnections(await readStackSettings(values));
const { dynamo, bucket } = connections;
const restored = { client: dynamo.client, tableName: restoredName(stack, new Date(at.data).toISOString()) };
if (values.organization) await copyOrganization(values.organization);
else if (dynamo.tableName === restored.tableName) await begin();
else await restore();
dynamo.client.destroy();

async function restore(): Promise<void> {
  await setWorkers(stack, false, console.log);
  await waitForWorkers(stack, connections.queues, console.log);
  await restoreTable(dynamo, restored.tableName, at.data ?? '', console.log);
  await protectTable(restored, console.log);
  await restoreObjects(bucket, at.data ?? '', console.log);
  await keepKeySet(dynamo, restored, console.log);
  await keepSecrets(dynamo, restored, console.log);
  await keepDeletions(dynamo, restored, console.log);
  console.log(`Write "restoredTable": "${restored.tableName}" into the tenant's file and deploy it:`);
  console.log('    npm run deploy -- --tenant NAME --allow-change TableName');
  console.log('Then repeat this command. The workers are stopped until then.');
}

async function copyOrganization(organizationId: string): Promise<void> {
  await restoreTable(dynamo, restored.tableName, at.data ?? '', console.log);
  const copyId = await copyPast(connections, { restored, organizationId, at: at.data ?? '' }, console.log);
  console.log(
    `Two platform owners bring the organization back with POST /api/v1/organizations/${organizationId}/restoration`,
  );
  console.log(`and "copyId": "${copyId}". The table ${restored.tableName} is needed no longer: delete it.`);
}

async function begin(): Promise<void> {
  await maintainAll(connections, { work: 'restored', repair: false }, console.log);
  await setWorkers(stack, true, console.log);
  console.log(`The stack works with ${restored.tableName}.`);
}
