import { join } from 'node:path';
import { App, type AppProps, Validations } from 'aws-cdk-lib';
import { ASSET_RESOURCE_METADATA_ENABLED_CONTEXT } from 'aws-cdk-lib/cx-api';
import { AwsSolutionsChecks } from 'cdk-nag';
import { Mistake } from '#local/mistake.ts';
import { type Deployment, TenantSettings } from './deployment.ts';
import { repositoryRoot } from './repository.ts';
import { service } from './service.ts';
import { addStack, type StackSource } from './stack.ts';

export const builtService: StackSource = { service, directory: join(repositoryRoot, 'dist/functions') };

/** The deployments that a list of tenants names, or all. */
export type Choice = (tenants: string | undefined) => readonly Deployment[];

/** Each function names the folder of its bundle, which `sam local` runs. */
const LOCAL_CODE = { [ASSET_RESOURCE_METADATA_ENABLED_CONTEXT]: true };

/**
 * The CDK app with one stack for each deployment that its context `tenant` chooses. Its synthesis fails on a finding of
 * cdk-nag that is not acknowledged with a reason.
 */
export function makeApp(source: StackSource, choose: Choice, props: AppProps = {}): App {
  const app = new App({ ...props, context: { ...LOCAL_CODE, ...props.context } });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  refuseOldContext(app);
  for (const deployment of choose(app.node.tryGetContext('tenant'))) addStack(app, deployment, source);
  return app;
}

/** Releases before 1.8 read the settings from the context. This release would ignore such a setting. */
function refuseOldContext(app: App): void {
  const given = [...Object.keys(TenantSettings.shape), 'stage', 'region'].filter(
    (name) => app.node.tryGetContext(name) !== undefined,
  );
  if (given.length > 0)
    throw new Mistake(`Write ${given.join(', ')} into the tenant's file under infra/tenants/ (docs/operate.md).`);
}
