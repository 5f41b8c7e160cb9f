import { CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  CachePolicy,
  type CfnDistribution,
  CfnFunction,
  CfnOriginAccessControl,
  CfnResponseHeadersPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { consolePolicy, REFERRER_POLICY } from './console-headers.ts';
import { type Deployment, namePrefix } from './deployment.ts';

/** The files of the console, as CloudFront reads them. */
export type Hosting = {
  origin: CfnDistribution.OriginProperty;
  behavior: CfnDistribution.DefaultCacheBehaviorProperty;
  /** Lets this distribution alone read the files. */
  allow(distribution: CfnDistribution): void;
};

/** The output that names the bucket to which `npm run deploy` writes the console. */
export const CONSOLE_BUCKET = 'ConsoleBucketName';

const TWO_YEARS_SECONDS = 63_072_000;

/** Adds nothing unless the deployment asks for the console. */
export function addConsole(parent: Construct, deployment: Deployment, storage: IBucket): Hosting | undefined {
  if (!deployment.console) return undefined;
  const scope = new Construct(parent, 'Console');
  const bucket = addBucket(scope, deployment);
  const name = nameOf(deployment);
  const access = new CfnOriginAccessControl(scope, 'Access', {
    originAccessControlConfig: {
      name,
      originAccessControlOriginType: 's3',
      signingBehavior: 'always',
      signingProtocol: 'sigv4',
    },
  });
  return {
    origin: {
      id: 'console',
      domainName: bucket.bucketRegionalDomainName,
      originAccessControlId: access.attrId,
      s3OriginConfig: {},
    },
    behavior: {
      targetOriginId: 'console',
      viewerProtocolPolicy: 'redirect-to-https',
      compress: true,
      // each file says how long it is kept
      cachePolicyId: CachePolicy.CACHING_OPTIMIZED.cachePolicyId,
      responseHeadersPolicyId: addHeaders(scope, deployment, storage).attrId,
      functionAssociations: [{ eventType: 'viewer-request', functionArn: addScreens(scope, name).attrFunctionArn }],
    },
    allow: (distribution) => allow(bucket, distribution),
  };
}

const nameOf = (deployment: Deployment): string => `${namePrefix(deployment)}${deployment.region}-console`;

function addBucket(scope: Construct, { stage }: Deployment): Bucket {
  const disposable = stage === 'development';
  const bucket = new Bucket(scope, 'Files', {
    encryption: BucketEncryption.S3_MANAGED,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    removalPolicy: disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    autoDeleteObjects: disposable,
  });
  acknowledge(bucket, {
    'AwsSolutions-S1':
      'The bucket has the files of the console alone, which are the same for everybody, and only CloudFront reads it.',
  });
  new CfnOutput(Stack.of(scope), CONSOLE_BUCKET, { value: bucket.bucketName });
  return bucket;
}

function allow(bucket: Bucket, distribution: CfnDistribution): void {
  const { partition, account } = Stack.of(bucket);
  const source = `arn:${partition}:cloudfront::${account}:distribution/${distribution.ref}`;
  bucket.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudfront.amazonaws.com')],
      actions: ['s3:GetObject'],
      resources: [bucket.arnForObjects('*')],
      conditions: { StringEquals: { 'AWS:SourceArn': source } },
    }),
  );
}

const addHeaders = (scope: Construct, deployment: Deployment, storage: IBucket): CfnResponseHeadersPolicy =>
  new CfnResponseHeadersPolicy(scope, 'Headers', {
    responseHeadersPolicyConfig: {
      name: nameOf(deployment),
      securityHeadersConfig: {
        contentSecurityPolicy: {
          contentSecurityPolicy: consolePolicy(
            `https://${storage.bucketRegionalDomainName}`,
            deployment.turnstileSiteKey,
          ),
          override: true,
        },
        strictTransportSecurity: {
          accessControlMaxAgeSec: TWO_YEARS_SECONDS,
          includeSubdomains: false,
          override: true,
        },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: 'DENY', override: true },
        referrerPolicy: { referrerPolicy: REFERRER_POLICY, override: true },
      },
    },
  });

/** The address of a screen is the page; only files have a dot in their last name. */
const addScreens = (scope: Construct, name: string): CfnFunction =>
  new CfnFunction(scope, 'Screens', {
    name,
    autoPublish: true,
    functionConfig: { comment: 'Answers the addresses of screens with the page', runtime: 'cloudfront-js-2.0' },
    functionCode: `function handler(event) {
  var request = event.request;
  if (!request.uri.slice(request.uri.lastIndexOf('/')).includes('.')) request.uri = '/index.html';
  return request;
}
`,
  });
