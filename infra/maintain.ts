import { parseArgs } from 'node:util';
import { MAINTENANCE } from '#functions/people/organizations/work.ts';
import { makeConnections } from '#shared/platform/runtime/connections.ts';
import { maintainAll } from './maintain-all.ts';
import { readStackSettings, stackOptions } from './stack-settings.ts';

/** Queues maintenance for every organization of a stack, after a release with new counters or search words or as a check:
 *
 *     npm run maintain -- --stack exposure-main-production rekey
 *     npm run maintain -- --stack exposure-main-production verify [--repair]
 *     npm run maintain -- --stack exposure-main-production views
 *     npm run maintain -- --stack exposure-main-production restored
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { ...stackOptions, repair: { type: 'boolean', default: false } },
});
const work = MAINTENANCE.find((name) => name === positionals[0]);
if (!work) {
  console.error('usage: npm run maintain -- --stack NAME rekey | verify [--repair] | views | restored');
  process.exit(64);
}
const connections = makeConnections(await readStackSettings(values));
await maintainAll(connections, { work, repair: values.repair }, console.log);
connections.dynamo.client.destroy();
