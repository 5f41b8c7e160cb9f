import { runInNewContext } from 'node:vm';
import { beforeAll, expect, test } from 'vitest';
import { areaFunction, functionSources, service } from '#infra/service.ts';
import {
  deployed,
  flat,
  largest,
  ofType,
  only,
  type Parts,
  synthesise,
  synthesiseParts,
  type Template,
} from './synthesis.ts';

const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/exposure/0198a6a2-0000';
const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/0198a6a2-0000';
const domain = { baseUrl: 'https://api.acme.test', certificateArn, hostedZoneId: 'Z123' };
const small = { areas: [], workers: [], schedules: [] };

let parts: Parts;
let template: Template;
beforeAll(() => {
  parts = synthesiseParts(service, { webAclArn });
  template = flat(parts);
});

const distributionOf = (from: Template) => only(from, 'AWS::CloudFront::Distribution').Properties.DistributionConfig;

const originSecretOf = (from: Template) =>
  ofType(from, 'AWS::SecretsManager::Secret').find(([id]) => id.startsWith('FrontOriginSecret'));

test('every request passes the web ACL of the tenant and no answer is cached, also no error', () => {
  const { WebACLId, DefaultCacheBehavior, CustomErrorResponses } = distributionOf(template);
  expect(WebACLId).toBe(webAclArn);
  expect(DefaultCacheBehavior).toMatchObject({
    ViewerProtocolPolicy: 'https-only',
    // AWS's own policies: CachingDisabled and AllViewerExceptHostHeader.
    CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
    OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
  });
  const methods = service.areas.flatMap(({ routes }) => Object.values(routes).map(({ method }) => method));
  expect(DefaultCacheBehavior.AllowedMethods).toEqual(expect.arrayContaining([...new Set(methods)]));
  const kept = CustomErrorResponses.filter((one: { ErrorCachingMinTTL: number }) => one.ErrorCachingMinTTL !== 0);
  expect(kept).toEqual([]);
  expect(CustomErrorResponses.map((one: { ErrorCode: number }) => one.ErrorCode)).toEqual(
    expect.arrayContaining([400, 404, 500, 503]),
  );
});

test('the API gets a secret that the template does not show, by TLS 1.2 alone', () => {
  const [id, secret] = originSecretOf(template) ?? [];
  expect(secret?.Properties.GenerateSecretString.PasswordLength).toBe(64);
  const [origin, ...more] = distributionOf(template).Origins;
  expect(more).toEqual([]);
  expect(origin.OriginCustomHeaders).toEqual([
    {
      HeaderName: 'x-origin-secret',
      HeaderValue: { 'Fn::Join': ['', ['{{resolve:secretsmanager:', { Ref: id }, ':SecretString}}']] },
    },
  ]);
  expect(origin.CustomOriginConfig).toMatchObject({
    OriginProtocolPolicy: 'https-only',
    OriginSSLProtocols: ['TLSv1.2'],
  });
  const [[api] = ['']] = ofType(template, 'AWS::ApiGatewayV2::Api');
  expect(origin.DomainName['Fn::Join'][1][0]).toEqual({ Ref: api });
});

test("the API's own address is no way around: every function that answers requests can read the secret, and no other", () => {
  const [id] = originSecretOf(template) ?? [];
  const answering = service.areas.map((area) => `exposure-main-production-${areaFunction(area).name}`);
  const functions = ofType(template, 'AWS::Lambda::Function').map(([, { Properties }]) => Properties);
  expect(functions).toHaveLength(functionSources(service).length);
  for (const { FunctionName, Environment, Role } of functions) {
    const answers = answering.includes(FunctionName);
    expect(Environment.Variables.ORIGIN_SECRET).toEqual(answers ? { Ref: id } : undefined);
    const rights = JSON.stringify(template.Resources[Role['Fn::GetAtt'][0]]?.Properties.Policies);
    expect(
      rights.includes(`"Action":"secretsmanager:GetSecretValue","Effect":"Allow","Resource":{"Ref":"${id}"}`),
    ).toBe(answers);
    if (answers) expect(rights).toContain('"secretsmanager.');
  }
});

test("the caller's address is CloudFront's own word, whatever the caller says", () => {
  const { FunctionCode, AutoPublish } = only(template, 'AWS::CloudFront::Function').Properties;
  const [association] = distributionOf(template).DefaultCacheBehavior.FunctionAssociations;
  expect([AutoPublish, association.EventType]).toEqual([true, 'viewer-request']);
  const headers = { 'x-viewer-address': { value: '203.0.113.66' }, accept: { value: '*/*' } };
  const event = { viewer: { ip: '198.51.100.7' }, request: { headers } };
  expect(runInNewContext(`${FunctionCode};handler(event)`, { event }).headers).toEqual({
    'x-viewer-address': { value: '198.51.100.7' },
    accept: { value: '*/*' },
  });
});

test("clients reach CloudFront at the tenant's domain, and the API keeps the address that CloudFront calls", () => {
  const own = synthesise(small, { webAclArn, ...domain });
  expect(distributionOf(own)).toMatchObject({
    Aliases: ['api.acme.test'],
    ViewerCertificate: {
      AcmCertificateArn: certificateArn,
      MinimumProtocolVersion: 'TLSv1.2_2021',
      SslSupportMethod: 'sni-only',
    },
  });
  const [[id] = ['']] = ofType(own, 'AWS::CloudFront::Distribution');
  const dnsName = { 'Fn::GetAtt': [id, 'DomainName'] };
  expect(only(own, 'AWS::Route53::RecordSet').Properties).toMatchObject({
    Name: 'api.acme.test',
    AliasTarget: { DNSName: dnsName, HostedZoneId: 'Z2FDTNDATAQYW2' },
  });
  expect(own.Outputs.DomainTarget?.Value).toEqual(dnsName);
  expect(own.Outputs.BaseUrl?.Value).toBe('https://api.acme.test');
  expect(ofType(own, 'AWS::ApiGatewayV2::DomainName')).toEqual([]);
  const { Body, DisableExecuteApiEndpoint } = only(own, 'AWS::ApiGatewayV2::Api').Properties;
  expect([DisableExecuteApiEndpoint, Body.servers]).toEqual([undefined, undefined]);
});

test("without a domain the service is known by CloudFront's address, with room below the 500 resources of a stack", () => {
  const [[id] = ['']] = ofType(template, 'AWS::CloudFront::Distribution');
  const address = { 'Fn::Join': ['', ['https://', { 'Fn::GetAtt': [id, 'DomainName'] }]] };
  expect([template.Outputs.BaseUrl?.Value, template.Outputs.TokenIssuer?.Value]).toEqual([address, address]);
  expect(largest(parts)).toBeLessThan(300);
});

test('a stack without a web ACL has nothing of all this', () => {
  const plain = synthesise(service);
  expect(Object.values(plain.Resources).filter(({ Type }) => Type.startsWith('AWS::CloudFront'))).toEqual([]);
  expect(originSecretOf(plain)).toBeUndefined();
  expect(JSON.stringify(plain)).not.toContain('ORIGIN_SECRET');
  expect(Object.keys(template.Resources).length - Object.keys(plain.Resources).length).toBe(3);
});

test.each([
  ['webAclArn', { webAclArn: 'arn:aws:wafv2:eu-central-1:123456789012:regional/webacl/exposure/0198' }],
  ['certificateArn', { webAclArn, ...domain, certificateArn: certificateArn.replace('us-east-1', 'eu-central-1') }],
])('a %s that CloudFront cannot use is refused', (field, settings) => {
  expect(() => deployed(settings)).toThrow(`infra/tenants/main.eu-central-1.json: ${field}: `);
});
