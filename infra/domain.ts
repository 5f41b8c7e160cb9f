import { CfnOutput, Stack } from 'aws-cdk-lib';
import { type CfnApi, CfnApiMapping, CfnDomainName, type CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import type { Deployment } from './deployment.ts';

type Target = { api: CfnApi; stage: CfnStage };

/** Whether CloudFront is in front of the API, and has its domain. */
export const hasFront = ({ webAclArn, console }: Deployment): boolean => webAclArn !== undefined || console;

/** Whether the API answers only at its own domain. */
export const hasDomain = (deployment: Deployment): boolean =>
  deployment.certificateArn !== undefined && !hasFront(deployment);

/** Adds the domain of `baseUrl`, if the deployment gives its certificate. */
export function addDomain(scope: Construct, deployment: Deployment, { api, stage }: Target): void {
  const { baseUrl, certificateArn } = deployment;
  if (baseUrl === undefined || !hasDomain(deployment)) return;
  const domain = new CfnDomainName(scope, 'Domain', {
    domainName: new URL(baseUrl).hostname,
    domainNameConfigurations: [{ certificateArn, endpointType: 'REGIONAL', securityPolicy: 'TLS_1_2' }],
  });
  new CfnApiMapping(scope, 'Mapping', { apiId: api.ref, domainName: domain.ref, stage: stage.ref });
  const { attrRegionalDomainName: dnsName, attrRegionalHostedZoneId: hostedZoneId } = domain;
  pointDomain(scope, deployment, { dnsName, hostedZoneId });
}

/** Names the target for the domain of `baseUrl`, and makes the record where its zone is given. */
export function pointDomain(
  scope: Construct,
  { baseUrl, hostedZoneId }: Deployment,
  aliasTarget: { dnsName: string; hostedZoneId: string },
): void {
  new CfnOutput(Stack.of(scope), 'DomainTarget', { value: aliasTarget.dnsName });
  if (baseUrl === undefined || hostedZoneId === undefined) return;
  new CfnRecordSet(scope, 'Record', { hostedZoneId, name: new URL(baseUrl).hostname, type: 'A', aliasTarget });
}
