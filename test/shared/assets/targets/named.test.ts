import { expect, test } from 'vitest';
import { targetNamed, targetOf } from '#shared/assets/targets/named.ts';

test.each([
  ['10.0.0.0/24', 'cidr'],
  ['10.0.0.7', 'host'],
  ['2001:db8::1', 'host'],
  ['web-01.example.com', 'host'],
  ['https://shop.example.com/', 'url'],
  ['git.example.com/shop/api', 'repository'],
  ['shop/api', 'repository'],
  ['The shop', 'application'],
])('a target given as %s is a %s', (text, type) => {
  expect(targetNamed(text)).toEqual({ type, value: text });
});

test.each([
  [{ type: 'repository', value: 'https://Git.example.com/shop/api/' }, 'https://git.example.com/shop/api'],
  [{ type: 'host', value: '2001:DB8:0:0::1' }, '2001:db8::1'],
  ['Web-01.Example.com', 'web-01.example.com'],
  [{ type: 'cidr', value: '10.0.0.7/24' }, '10.0.0.0/24'],
  [{ type: 'application', value: 'The shop' }, 'The shop'],
] as const)('the target %j is the same as %s, so that its findings close and are not doubled', (given, value) => {
  expect(targetOf(given).value).toBe(value);
});

test.each([
  [{ type: 'cidr', value: '10.0.0.0/99' }, 'target.value'],
  [{ type: 'url', value: 'shop.example.com' }, 'target.value'],
  ['https://ci:secret@shop.example.com', 'target'],
] as const)('%j is refused as a target, and the answer names the wrong field', (given, path) => {
  expect(() => targetOf(given)).toThrow(
    expect.objectContaining({ code: 'validation_failed', details: [expect.objectContaining({ path })] }),
  );
});
