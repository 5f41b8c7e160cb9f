import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import type { CloudAssembly } from 'aws-cdk-lib/cx-api';
import { writeAssembly } from './assembly.ts';
import { needsAliases, needsMoves, unaskedChanges, unreadAlarms } from './deploy-check.ts';
import type { Deployment } from './deployment.ts';
import { publishConsole } from './publish-console.ts';
import { readTenants, selectTenants, tenantsDirectory } from './tenants.ts';

/** Deploys the stacks of some tenants, or of all:
 *
 *     npm run deploy -- --tenant acme,other.eu-west-1
 *     npm run deploy -- --all
 * A deployment that would change the table, the bucket, a secret, the issuer or the base URL of a running stack is
 * refused, unless `--allow-change TableName` names the output. `--directory` is another place of the tenants' files.
 * The console is built and written to the bucket of each stack that has one.
 * Words after a second `--` are options of `cdk deploy`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tenant: { type: 'string' },
    all: { type: 'boolean', default: false },
    directory: { type: 'string', default: tenantsDirectory },
    'allow-change': { type: 'string', multiple: true, default: [] },
  },
});
if (values.all === (values.tenant !== undefined)) {
  console.error('usage: npm run deploy -- --tenant NAME[,NAME] | --all [--allow-change OUTPUT] [-- OPTIONS OF CDK]');
  process.exit(64);
}
const chosen = selectTenants(readTenants(values.directory), values.tenant);
refuse(chosen.flatMap(unreadAlarms));
const assembly = await write(chosen);
const moves = (await Promise.all(chosen.map((deployment) => needsMoves(deployment, assembly)))).flat();
const aliases = (await Promise.all(chosen.map(needsAliases))).flat();
const steps = [moves, aliases].filter((step) => step.length > 0);
for (const step of steps) await deploy(await write(step));
await deploy(steps.length > 0 ? await write(chosen) : assembly);
for (const deployment of chosen) await publishConsole(deployment);

/** Deploys, unless something would change unasked. Ends the command if it fails. */
async function deploy({ stacks, directory }: CloudAssembly): Promise<void> {
  refuse((await Promise.all(stacks.map((stack) => unaskedChanges(stack, values['allow-change'])))).flat());
  const names = stacks.map(({ hierarchicalId }) => hierarchicalId);
  const options = { stdio: 'inherit' } as const;
  const { status, error } = spawnSync('cdk', ['deploy', '--app', directory, ...names, ...positionals], options);
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

function write(deployments: readonly Deployment[]): Promise<CloudAssembly> {
  return writeAssembly(() => deployments);
}

function refuse(reasons: readonly string[]): void {
  if (reasons.length === 0) return;
  console.error([...reasons, 'Nothing was deployed.'].join('\n'));
  process.exit(1);
}
