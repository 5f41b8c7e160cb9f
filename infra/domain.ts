import { CfnOutput, Stack } from 'aws-cdk-lib';
import { type CfnApi, CfnApiMapping, CfnDomainName, type CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import type { Deployment } from './deployment.ts';

type Target = { api: CfnApi; stage: CfnStage };

/** Whether the API answers at its own domain alone. */
export const hasDomain = ({ certificateArn }: Deployment): boolean => certificateArn !== undefined;

/** Adds the domain of `baseUrl`, if the deployment gives its certificate. */
export function addDomain(scope: Construct, deployment: Deployment, { api, stage }: Target): void {
  const { baseUrl, certificateArn, hostedZoneId } = deployment;
  if (baseUrl === undefined || certificateArn === undefined) return;
  const domainName = new URL(baseUrl).hostname;
  const domain = new CfnDomainName(scope, 'Domain', {
    domainName,
    domainNameConfigurations: [{ certificateArn, endpointType: 'REGIONAL', securityPolicy: 'TLS_1_2' }],
  });
  new CfnApiMapping(scope, 'Mapping', { apiId: api.ref, domainName: domain.ref, stage: stage.ref });
  new CfnOutput(Stack.of(scope), 'DomainTarget', { value: domain.attrRegionalDomainName });
  if (hostedZoneId === undefined) return;
  const aliasTarget = { dnsName: domain.attrRegionalDomainName, hostedZoneId: domain.attrRegionalHostedZoneId };
  new CfnRecordSet(scope, 'Record', { hostedZoneId, name: domainName, type: 'A', aliasTarget });
}
