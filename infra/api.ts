import { Fn, Stack } from 'aws-cdk-lib';
import { CfnApi, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { type Deployment, namePrefix } from './deployment.ts';
import { addDomain, hasDomain } from './domain.ts';
import { gatewayBody } from './gateway-body.ts';
import { gatewayRoutes } from './gateway-routes.ts';
import { callsAliases, LIVE } from './releases.ts';
import type { Service } from './service.ts';

/** The time limit of an area; API Gateway ends a request after 30 seconds. */
export const AREA_TIMEOUT_SECONDS = 29;

export type Api = {
  id: string;
  stage: string;
  /** The host name that API Gateway assigns. */
  host: string;
  /** The requests of the API, in a permission. */
  callers: string;
};

/**
 * The HTTP API, made from the contracts. The API addresses functions by name and not by reference: the functions'
 * settings hold the API's address, and CloudFormation refuses circles.
 */
export function addApi(parent: Construct, deployment: Deployment, { areas }: Service): Api {
  const scope = new Construct(parent, 'Api');
  const prefix = namePrefix(deployment);
  const qualifier = callsAliases(deployment) ? `:${LIVE}` : '';
  const api = new CfnApi(scope, 'Api', {
    body: gatewayBody({
      title: prefix.slice(0, -1),
      routes: gatewayRoutes(areas),
      integrationOf: (area) => ({
        uri: integrationUri(`${prefix}${area}${qualifier}`),
        timeoutMillis: AREA_TIMEOUT_SECONDS * 1000 + 500,
      }),
      origins: deployment.consoleOrigins,
      ownAddress: !hasDomain(deployment),
    }),
    disableExecuteApiEndpoint: hasDomain(deployment) || undefined,
  });
  const stage = addStage(scope, api, deployment);
  addDomain(scope, deployment, { api, stage });
  const { urlSuffix, region } = Stack.of(scope);
  return {
    id: api.ref,
    stage: stage.stageName,
    host: `${api.ref}.execute-api.${region}.${urlSuffix}`,
    callers: callersOf(scope, api),
  };
}

function addStage(scope: Construct, api: CfnApi, { requestsPerSecond, requestBurst }: Deployment): CfnStage {
  const stage = new CfnStage(scope, 'Stage', {
    apiId: api.ref,
    stageName: '$default',
    autoDeploy: true,
    defaultRouteSettings: { throttlingRateLimit: requestsPerSecond, throttlingBurstLimit: requestBurst },
  });
  acknowledge(stage, {
    'AwsSolutions-APIG1':
      'The gateway can only log every request or none. The functions log each request themselves and leave out polls without work, which are most of all requests. The metrics of the gateway count the requests that it refuses itself.',
  });
  return stage;
}

const callersOf = (scope: Construct, api: CfnApi): string =>
  Stack.of(scope).formatArn({ service: 'execute-api', resource: api.ref, resourceName: '*/*' });

/** In the one form of a reference that `sam local` reads. */
const integrationUri = (functionName: string): string =>
  Fn.sub(
    `arn:\${AWS::Partition}:apigateway:\${AWS::Region}:lambda:path/2015-03-31/functions/arn:\${AWS::Partition}:lambda:\${AWS::Region}:\${AWS::AccountId}:function:${functionName}/invocations`,
  );
