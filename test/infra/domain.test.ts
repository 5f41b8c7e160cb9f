import { expect, test } from 'vitest';
import { deployed, ofType, only, synthesise, type Template } from './synthesis.ts';

const small = { areas: [], workers: [], schedules: [] };
const certificateArn = 'arn:aws:acm:eu-central-1:123456789012:certificate/0198a6a2-0000';
const domain = { baseUrl: 'https://api.acme.test', certificateArn };

const isOff = (template: Template) => {
  const { Body, DisableExecuteApiEndpoint } = only(template, 'AWS::ApiGatewayV2::Api').Properties;
  const [server] = Body.servers ?? [];
  const inBody = server?.['x-amazon-apigateway-endpoint-configuration'].disableExecuteApiEndpoint;
  return [DisableExecuteApiEndpoint ?? false, inBody ?? false];
};

test("clients reach the API at the tenant's domain, and no longer around it", () => {
  const template = synthesise(small, { ...domain, hostedZoneId: 'Z123' });
  expect(only(template, 'AWS::ApiGatewayV2::DomainName').Properties).toMatchObject({
    DomainName: 'api.acme.test',
    DomainNameConfigurations: [{ CertificateArn: certificateArn, SecurityPolicy: 'TLS_1_2' }],
  });
  const [[api] = ['']] = ofType(template, 'AWS::ApiGatewayV2::Api');
  const [[stage] = ['']] = ofType(template, 'AWS::ApiGatewayV2::Stage');
  expect(only(template, 'AWS::ApiGatewayV2::ApiMapping').Properties).toMatchObject({
    ApiId: { Ref: api },
    Stage: { Ref: stage },
  });
  expect(only(template, 'AWS::Route53::RecordSet').Properties).toMatchObject({
    HostedZoneId: 'Z123',
    Name: 'api.acme.test',
    Type: 'A',
  });
  expect(isOff(template)).toEqual([true, true]);
  expect(template.Outputs.BaseUrl?.Value).toBe('https://api.acme.test');
});

test('a domain elsewhere gets the name to which it must point', () => {
  const template = synthesise(small, domain);
  expect(ofType(template, 'AWS::Route53::RecordSet')).toEqual([]);
  expect(JSON.stringify(template.Outputs.DomainTarget?.Value)).toContain('RegionalDomainName');
});

test('without a certificate the API answers at its own address, also behind a domain that others manage', () => {
  const template = synthesise(small, { baseUrl: 'https://api.acme.test' });
  expect(isOff(template)).toEqual([false, false]);
  expect(ofType(template, 'AWS::ApiGatewayV2::DomainName')).toEqual([]);
});

test.each([
  ['baseUrl', { certificateArn }],
  ['baseUrl', { certificateArn, baseUrl: 'https://api.acme.test/api' }],
  ['certificateArn', { hostedZoneId: 'Z123', baseUrl: 'https://api.acme.test' }],
])('a domain without its %s is refused', (field, settings) => {
  expect(() => deployed(settings)).toThrow(`infra/tenants/main.eu-central-1.json: ${field}: `);
});
