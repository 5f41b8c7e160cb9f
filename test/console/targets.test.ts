import { expect, test } from 'vitest';
import { linesOf, targetsIn } from '../../console/forms/targets.ts';

test.each([
  ['shop.example.com', 'domain', 'shop.example.com', null],
  ['web-01', 'host', 'web-01', null],
  ['10.0.0.5 office', 'host', '10.0.0.5', 'office'],
  ['10.0.0.0/24', 'cidr', '10.0.0.0/24', null],
  ['2001:db8::/32', 'cidr', '2001:db8::/32', null],
  ['2001:db8::1', 'host', '2001:db8::1', null],
  ['https://shop.example.com/login', 'url', 'https://shop.example.com/login', null],
  ['https://github.com/acme/shop.git', 'repository', 'https://github.com/acme/shop.git', null],
  ['registry.example.com/shop:1.2', 'container_image', 'registry.example.com/shop:1.2', null],
  ['  host   shop.example.com   dmz ', 'host', 'shop.example.com', 'dmz'],
])('the line %o of a form is the target that a person means', (line, type, value, zone) => {
  expect(targetsIn(line)).toEqual([{ type, value, zone }]);
});

test('targets come back from the form as they were, and empty lines are none', () => {
  const targets = targetsIn('host shop.example.com dmz\n\n10.0.0.0/24\nrepository github.com/acme/shop\n');
  expect(targets).toHaveLength(3);
  expect(targetsIn(linesOf(targets))).toEqual(targets);
});
