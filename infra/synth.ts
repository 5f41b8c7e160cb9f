import { parseArgs } from 'node:util';
import { writeAssembly } from './assembly.ts';
import { readTenants, selectTenants } from './tenants.ts';

/** Writes cdk.out/ for all tenants of infra/tenants/, or for some: `npm run synth -- -c tenant=acme`. The CDK's command
 * line runs this file as its app (cdk.json) and passes directory and context in the environment.
 */
const { values } = parseArgs({ options: { context: { type: 'string', short: 'c', multiple: true } } });
const context = Object.fromEntries(
  (values.context ?? []).map((pair) => [pair.split('=', 1)[0], pair.slice(pair.indexOf('=') + 1)]),
);
const { stacks } = await writeAssembly((list) => selectTenants(readTenants(), list), context);
for (const { templateFullPath } of stacks) console.error(`The template was written to ${templateFullPath}`);
