import { expect, test } from 'vitest';
import { targetNamed } from '#functions/import/target.ts';

test.each([
  ['10.0.0.0/24', 'cidr'],
  ['10.0.0.7', 'host'],
  ['2001:db8::1', 'host'],
  ['web-01.example.com', 'host'],
  ['https://shop.example.com/', 'url'],
  ['git.example.com/shop/api', 'repository'],
  ['shop/api', 'repository'],
  ['The shop', 'application'],
])('a target given as %s is taken for a %s', (text, type) => {
  expect(targetNamed(text)).toEqual({ type, value: text });
});
