import { join } from 'node:path';
import type { CloudAssembly } from 'aws-cdk-lib/cx-api';
import { builtService, type Choice, makeApp } from './app.ts';
import { packFunctions } from './bundle/pack.ts';
import { repositoryRoot } from './repository.ts';

/**
 * Packs the functions and writes the templates of the chosen deployments to cdk.out/, or to the directory that the CDK
 * names.
 */
export async function writeAssembly(choose: Choice, context: Record<string, unknown> = {}): Promise<CloudAssembly> {
  await packFunctions(builtService.service, join(repositoryRoot, 'dist'));
  const outdir = process.env.CDK_OUTDIR ?? join(repositoryRoot, 'cdk.out');
  return makeApp(builtService, choose, { outdir, context }).synth();
}
