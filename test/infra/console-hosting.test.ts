import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { consolePolicy } from '#infra/console-headers.ts';
import { consoleObjects } from '#infra/publish-console.ts';
import { service } from '#infra/service.ts';
import { ofType, only, synthesise } from './synthesis.ts';

const small = { areas: [], workers: [], schedules: [] };
const template = synthesise(small, { console: true });
const distribution = only(template, 'AWS::CloudFront::Distribution').Properties.DistributionConfig;

test('the console is at the address of the API, so that its cookie is sent to no other site', () => {
  const patterns: string[] = distribution.CacheBehaviors.map((one: { PathPattern: string }) => one.PathPattern);
  const starts = patterns.map((pattern) => pattern.slice(0, -1));
  const paths = service.areas.flatMap(({ routes }) => Object.values(routes).map(({ path }) => path));
  expect(paths.filter((path) => !starts.some((start) => path.startsWith(start)))).toEqual([]);
  expect(distribution.DefaultCacheBehavior.TargetOriginId).toBe('console');
  for (const { TargetOriginId, CachePolicyId } of distribution.CacheBehaviors)
    expect([TargetOriginId, CachePolicyId]).toEqual(['api', '4135ea2d-6df8-44a3-9df3-4b5a84be39ad']);
});

test('the policy of the stack is the one that the local system has, and browsers come back by TLS alone', () => {
  const { SecurityHeadersConfig: headers } = only(template, 'AWS::CloudFront::ResponseHeadersPolicy').Properties
    .ResponseHeadersPolicyConfig;
  const parts: unknown[] = headers.ContentSecurityPolicy.ContentSecurityPolicy['Fn::Join'][1];
  const policy = parts.map((part) => (typeof part === 'string' ? part : 'STORAGE')).join('');
  expect(policy).toBe(consolePolicy('https://STORAGE'));
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(policy).not.toContain('cloudflare');
  expect(headers.StrictTransportSecurity).toMatchObject({ AccessControlMaxAgeSec: 63_072_000, Override: true });
  expect(headers.FrameOptions).toEqual({ FrameOption: 'DENY', Override: true });
});

test('a deployment with Turnstile allows its script and its frame, and nothing else of Cloudflare', () => {
  const policy = consolePolicy('https://STORAGE', '0x4AAAA');
  const added = policy.split('; ').filter((part) => !consolePolicy('https://STORAGE').split('; ').includes(part));
  expect(added).toEqual([
    "script-src 'self' https://challenges.cloudflare.com/turnstile/v0/",
    'frame-src https://STORAGE https://challenges.cloudflare.com',
  ]);
  const checked = synthesise(small, { console: true, turnstileSiteKey: '0x4AAAA' });
  expect(JSON.stringify(only(checked, 'AWS::CloudFront::ResponseHeadersPolicy'))).toContain(
    ' https://challenges.cloudflare.com',
  );
});

test('only this distribution reads the files of the console', () => {
  const [, { Properties }] =
    ofType(template, 'AWS::S3::BucketPolicy').find(([id]) => id.startsWith('FrontConsole')) ??
    expect.fail('the console has a bucket policy');
  const allowed = Properties.PolicyDocument.Statement.filter((one: { Effect: string }) => one.Effect === 'Allow');
  expect(allowed).toHaveLength(1);
  expect(allowed[0]).toMatchObject({ Action: 's3:GetObject', Principal: { Service: 'cloudfront.amazonaws.com' } });
  const [[id] = ['']] = ofType(template, 'AWS::CloudFront::Distribution');
  expect(JSON.stringify(allowed[0].Condition)).toContain(`{"Ref":"${id}"}`);
  for (const [, bucket] of ofType(template, 'AWS::S3::Bucket'))
    expect(bucket.Properties.PublicAccessBlockConfiguration).toMatchObject({ RestrictPublicBuckets: true });
});

test.each([
  ['/', '/index.html'],
  ['/findings', '/index.html'],
  ['/users/0198a6a2', '/index.html'],
  ['/static/main-1a2b.js', '/static/main-1a2b.js'],
  ['/icon.svg', '/icon.svg'],
])('a browser that asks for %s gets %s', (uri, answered) => {
  const screens = ofType(template, 'AWS::CloudFront::Function').find(([id]) => id.startsWith('FrontConsoleScreens'));
  const code = screens?.[1].Properties.FunctionCode;
  expect(runInNewContext(`${code};handler(event)`, { event: { request: { uri } } }).uri).toBe(answered);
});

test('a person sends large reports from the address of the console alone, where it is known', () => {
  const origins = (settings: Record<string, unknown>) =>
    ofType(synthesise(small, settings), 'AWS::S3::Bucket').flatMap(([, { Properties }]) =>
      (Properties.CorsConfiguration?.CorsRules ?? []).flatMap(
        (one: { AllowedOrigins: string[] }) => one.AllowedOrigins,
      ),
    );
  expect(origins({ console: true })).toEqual(['https://*.cloudfront.net']);
  expect(origins({ console: true, baseUrl: 'https://acme.test' })).toEqual(['https://acme.test']);
  expect(origins({})).toEqual([]);
});

test('the page is written after the files that it names, and alone is asked for each time', () => {
  const directory = mkdtempSync(join(tmpdir(), 'console-'));
  mkdirSync(join(directory, 'static'));
  for (const name of ['index.html', 'static/main-1a2b.js']) writeFileSync(join(directory, name), '');
  const objects = consoleObjects(directory);
  rmSync(directory, { recursive: true });
  expect(objects.map(({ Key, ContentType, CacheControl }) => [Key, ContentType, CacheControl])).toEqual([
    ['static/main-1a2b.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['index.html', 'text/html; charset=utf-8', 'no-cache'],
  ]);
});
