import { CachePolicy, CfnDistribution, CfnFunction, OriginRequestPolicy } from 'aws-cdk-lib/aws-cloudfront';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { frontHeaders } from '#shared/platform/http/front.ts';
import { acknowledge } from './acknowledge.ts';
import { addConsole, type Hosting } from './console-hosting.ts';
import { type Deployment, namePrefix } from './deployment.ts';
import { hasFront, pointDomain } from './domain.ts';
import type { Storage } from './storage.ts';

/**
 * CloudFront in front of the API: its address, and the secret that proves to the functions that a request came through
 * it.
 */
export type Front = { address: string; secretName: string };

/** Adds nothing unless the deployment names a web ACL, or has the console. */
export function addFront(
  parent: Construct,
  deployment: Deployment,
  { apiHost, storage }: { apiHost: string; storage: Storage },
): Front | undefined {
  if (!hasFront(deployment)) return undefined;
  const scope = new Construct(parent, 'Front');
  const secret = addSecret(scope, storage);
  const hosting = addConsole(scope, deployment, storage.bucket);
  const { attrDomainName: dnsName } = addDistribution(scope, deployment, { apiHost, secret, hosting });
  pointDomain(scope, deployment, { dnsName, hostedZoneId: CloudFrontTarget.CLOUDFRONT_ZONE_ID });
  return { address: `https://${dnsName}`, secretName: secret.ref };
}

/** Made by CloudFormation, which gives it to CloudFront without showing it in the template. */
function addSecret(scope: Construct, { key }: Storage): CfnSecret {
  const secret = new CfnSecret(scope, 'OriginSecret', {
    description: 'CloudFront sends it to the API, and the functions refuse requests without it',
    kmsKeyId: key.keyArn,
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
  });
  acknowledge(secret, {
    'AwsSolutions-SMG4':
      'CloudFront takes minutes to change what it sends, and requests would be refused meanwhile. Nobody sees the value; it opens nothing by itself, since requests need a credential too.',
  });
  return secret;
}

/** Longer than API Gateway, which ends a request after 30 seconds, so that its answer arrives. */
const ORIGIN_SECONDS = 35;

/** CloudFront would give one caller's error to others for ten seconds. */
const ERRORS = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

type Origin = { apiHost: string; secret: CfnSecret; hosting: Hosting | undefined };

function addDistribution(
  scope: Construct,
  deployment: Deployment,
  { apiHost, secret, hosting }: Origin,
): CfnDistribution {
  const headerValue = `{{resolve:secretsmanager:${secret.ref}:SecretString}}`;
  const functionArn = addCaller(scope, deployment).attrFunctionArn;
  const distribution = new CfnDistribution(scope, 'Distribution', {
    distributionConfig: {
      enabled: true,
      comment: namePrefix(deployment).slice(0, -1),
      httpVersion: 'http2',
      webAclId: deployment.webAclArn,
      ...domainOf(deployment),
      origins: [
        {
          id: 'api',
          domainName: apiHost,
          originCustomHeaders: [{ headerName: frontHeaders.secret, headerValue }],
          customOriginConfig: {
            originProtocolPolicy: 'https-only',
            originSslProtocols: ['TLSv1.2'],
            originReadTimeout: ORIGIN_SECONDS,
          },
        },
        ...(hosting ? [hosting.origin] : []),
      ],
      ...behaviors(toApi(functionArn), hosting),
      customErrorResponses: ERRORS.map((errorCode) => ({ errorCode, errorCachingMinTtl: 0 })),
    },
  });
  hosting?.allow(distribution);
  acknowledge(distribution, reasonsFor(deployment));
  return distribution;
}

/** The paths of the API beside the console. A test compares them with the contract. */
const API_PATHS = ['/api/*', '/docs*', '/scim/*', '/.well-known/*'];

const behaviors = (api: CfnDistribution.DefaultCacheBehaviorProperty, hosting: Hosting | undefined) =>
  hosting
    ? {
        defaultCacheBehavior: hosting.behavior,
        cacheBehaviors: API_PATHS.map((pathPattern) => ({ ...api, pathPattern })),
      }
    : { defaultCacheBehavior: api };

const toApi = (functionArn: string): CfnDistribution.DefaultCacheBehaviorProperty => ({
  targetOriginId: 'api',
  viewerProtocolPolicy: 'https-only',
  allowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
  cachePolicyId: CachePolicy.CACHING_DISABLED.cachePolicyId,
  // API Gateway knows the API by the host, which must be its own.
  originRequestPolicyId: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER.originRequestPolicyId,
  functionAssociations: [{ eventType: 'viewer-request', functionArn }],
});

/** Without a certificate the distribution answers only at CloudFront's own domain. */
const domainOf = ({ baseUrl, certificateArn }: Deployment) =>
  baseUrl !== undefined &&
  certificateArn !== undefined && {
    aliases: [new URL(baseUrl).hostname],
    viewerCertificate: {
      acmCertificateArn: certificateArn,
      minimumProtocolVersion: 'TLSv1.2_2021',
      sslSupportMethod: 'sni-only',
    },
  };

/** Only CloudFront's own functions learn the caller's address. This function overwrites the caller's own header. */
const addCaller = (scope: Construct, deployment: Deployment): CfnFunction =>
  new CfnFunction(scope, 'Caller', {
    // Names are unique in the account, not only in a region.
    name: `${namePrefix(deployment)}${deployment.region}-caller`,
    autoPublish: true,
    functionConfig: { comment: "Tells the API the caller's address", runtime: 'cloudfront-js-2.0' },
    functionCode: `function handler(event) {
  event.request.headers['${frontHeaders.caller}'] = { value: event.viewer.ip };
  return event.request;
}
`,
  });

const reasonsFor = ({ certificateArn, webAclArn }: Deployment): Record<string, string> => ({
  ...(webAclArn === undefined && {
    'AwsSolutions-CFR2': 'A web ACL is a choice of the tenant (webAclArn); the API itself limits requests.',
  }),
  'AwsSolutions-CFR1': 'Tenants and their scanners call from anywhere; a web ACL can refuse countries.',
  'AwsSolutions-CFR3':
    "The functions log each request with the caller's address, and WAF's metrics and samples show what it refused.",
  ...(certificateArn === undefined && {
    'AwsSolutions-CFR4':
      "CloudFront's own domain takes no choice of TLS versions; a domain of the tenant's takes TLS 1.2 alone.",
  }),
});
