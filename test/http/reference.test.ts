import { expect, test } from 'vitest';
import { areas } from '#functions/contract.ts';
import { apiDocument } from '#infra/openapi/document.ts';
import { startSystem } from '../support/system.ts';

const { baseUrl } = startSystem();

test('an integrator reads the document of all served operations, with any tool', async () => {
  const answer = await fetch(`${baseUrl}/api/v1/openapi.json`);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(apiDocument(areas))));
});

test('a client that does not accept compression gets the same document', async () => {
  const plain = await fetch(`${baseUrl}/api/v1/openapi.json`, { headers: { 'accept-encoding': 'identity' } });
  const zipped = await fetch(`${baseUrl}/api/v1/openapi.json`, { headers: { 'accept-encoding': 'gzip' } });
  expect([plain, zipped].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip']);
  expect(await plain.json()).toEqual(await zipped.json());
});

test.each([
  ['br, GZIP;q=0.8', 'gzip'],
  ['deflate,gzip', 'gzip'],
  ['gzip; q=1.0, *', 'gzip'],
  ['gzip;q=0, identity', null],
  ['gzip;q=0.00', null],
  ['x-gzip2', null],
])('a client that accepts %s gets a readable answer', async (accepted, encoding) => {
  const { headers } = await fetch(`${baseUrl}/docs`, { headers: { 'accept-encoding': accepted } });
  expect(headers.get('content-encoding')).toBe(encoding);
});

test('the reference page loads only files of the service itself', async () => {
  const page = await fetch(`${baseUrl}/docs`);
  const html = await page.text();
  const loaded = [...html.matchAll(/(?:src|data-url)="([^"]+)"/g)].map(([, url]) => url);
  expect(loaded).toEqual(['/api/v1/openapi.json', '/docs/scalar.js']);
  expect(html).not.toMatch(/https?:\/\//);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/https?:|\*/);
});

test('the script of the reference arrives complete', async () => {
  const script = await fetch(`${baseUrl}/docs/scalar.js`);
  expect(script.headers.get('content-type')).toContain('text/javascript');
  expect((await script.text()).length).toBeGreaterThan(1_000_000);
});
