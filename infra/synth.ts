import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { builtService, makeApp } from './app.ts';
import { packFunctions } from './bundle/pack.ts';
import { repositoryRoot } from './repository.ts';

/** Writes cdk.out/: `npm run synth -- -c tenant=acme -c region=eu-central-1`. The CDK's command line runs this file as
 * its app (cdk.json) and passes directory and context in the environment.
 */
const { values } = parseArgs({ options: { context: { type: 'string', short: 'c', multiple: true } } });
const context = Object.fromEntries(
  (values.context ?? []).map((pair) => [pair.split('=', 1)[0], pair.slice(pair.indexOf('=') + 1)]),
);
await packFunctions(builtService.service, join(repositoryRoot, 'dist'));
const outdir = process.env.CDK_OUTDIR ?? join(repositoryRoot, 'cdk.out');
const { stacks } = makeApp(builtService, { outdir, context }).synth();
for (const { templateFullPath } of stacks) console.error(`The template was written to ${templateFullPath}`);
