import { join } from 'node:path';
import { App, type AppProps, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { readDeployment } from './deployment.ts';
import { repositoryRoot } from './repository.ts';
import { service } from './service.ts';
import { addStack, type StackSource } from './stack.ts';

export const builtService: StackSource = { service, directory: join(repositoryRoot, 'dist/functions') };

/** The CDK app. Its synthesis fails on a finding of cdk-nag that is not acknowledged with a reason. */
export function makeApp(source: StackSource, props: AppProps = {}): App {
  const app = new App(props);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  addStack(app, readDeployment(app.node), source);
  return app;
}
