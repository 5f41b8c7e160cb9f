import { CfnOutput, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { Deployment } from './deployment.ts';
import { variables } from './environment.ts';
import type { Storage } from './storage.ts';

/** Settings and rights of the one function that calls the provider of completions. */
export type LanguageModel = {
  environment: Record<string, string>;
  statements: PolicyStatement[];
  reasons: Record<string, string>;
};

/** Adds nothing without a model. A server of one's own needs a key; Bedrock needs the right to call its models. */
export function addLanguageModel(parent: Construct, deployment: Deployment, { key }: Storage): LanguageModel {
  const { llmModel, llmModelFast, llmModelStrong, llmBaseUrl } = deployment;
  if (llmModel === undefined) return { environment: {}, statements: [], reasons: {} };
  const models = variables({ LLM_MODEL: llmModel, LLM_MODEL_FAST: llmModelFast, LLM_MODEL_STRONG: llmModelStrong });
  if (llmBaseUrl === undefined) return bedrock(parent, models);
  const secret = new CfnSecret(new Construct(parent, 'LanguageModel'), 'Key', {
    description: 'Key for the server of completions; written by the operator (docs/operate.md)',
    kmsKeyId: key.keyArn,
  });
  acknowledge(secret, { 'AwsSolutions-SMG4': 'The provider makes and replaces the key.' });
  new CfnOutput(parent, 'LanguageModelSecretName', { value: secret.ref });
  return {
    environment: { ...models, ...variables({ LLM_BASE_URL: llmBaseUrl, LLM_SECRET: secret.ref }) },
    statements: [new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secret.ref] })],
    reasons: {},
  };
}

/** An inference profile also calls the model in other regions and needs the right to it there. */
const PROFILE = /^(us|us-gov|eu|apac|jp|au|ca|global)\./;

/** The ARN of a profile does not name its models, so any model may be called, but only through the profile. */
const PROFILE_ARN = /^arn:[^:]+:bedrock:[^:]*:[^:]*:(application-)?inference-profile\//;

function bedrock(parent: Construct, environment: Record<string, string>): LanguageModel {
  const { partition, region, account } = Stack.of(parent);
  const ids = [...new Set(Object.values(environment))];
  const resources = ids.flatMap((id) => {
    if (id.startsWith('arn:')) return [id];
    if (!PROFILE.test(id)) return [`arn:${partition}:bedrock:${region}::foundation-model/${id}`];
    const anywhere = `arn:${partition}:bedrock:*::foundation-model/${id.replace(PROFILE, '')}`;
    return [`arn:${partition}:bedrock:${region}:${account}:inference-profile/${id}`, anywhere];
  });
  const profiles = ids.filter((id) => PROFILE_ARN.test(id));
  // A profile of an application may refer to one of AWS.
  const behind = [`arn:${partition}:bedrock:*::foundation-model/*`, `arn:${partition}:bedrock:*:*:inference-profile/*`];
  const conditions = { StringEquals: { 'bedrock:InferenceProfileArn': profiles } };
  const statements = [new PolicyStatement({ actions: ['bedrock:InvokeModel'], resources })];
  if (profiles.length > 0)
    statements.push(new PolicyStatement({ actions: ['bedrock:InvokeModel'], resources: behind, conditions }));
  // The form in which cdk-nag names a reference.
  const anywhere = statements
    .flatMap((statement) => statement.resources)
    .filter((arn) => arn.includes(':*:'))
    .map((arn) => arn.replace(partition, '<AWS::Partition>'));
  const reason = 'The profile chooses the region of each call; the configuration fixes the model.';
  return {
    environment,
    statements,
    reasons: Object.fromEntries(anywhere.map((name) => [`AwsSolutions-IAM5[Resource::${name}]`, reason])),
  };
}
