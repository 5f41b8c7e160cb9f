import { expect, test } from 'vitest';
import { nameOf, toolOf } from '../../console/texts/names.ts';

test.each([
  ['container_image', 'Container image'],
  ['url', 'URL'],
  ['ip_address', 'IP address'],
  ['medium', 'Medium'],
])('a person reads %s as %s', (value, name) => {
  expect(nameOf(value)).toBe(name);
});

test('what people wrote is not said to be of a tool', () => {
  expect([toolOf('manual'), toolOf('trivy')]).toEqual(['a person', 'trivy']);
});
