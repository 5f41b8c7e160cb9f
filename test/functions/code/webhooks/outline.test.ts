import samples from '@octokit/webhooks-examples/api.github.com/index.json' with { type: 'json' };
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { github } from '#functions/code/webhooks/github.ts';
import { gitlab } from '#functions/code/webhooks/gitlab.ts';
import { outlineOf } from '#functions/code/webhooks/outline.ts';
import { type JsonObject, textAt } from '#shared/reports/readers/json.ts';
import { gitlabEvents } from '../../../support/code-hosts/gitlab-events.ts';

/** An event reaches its integration though nobody parses it before its signature is proven. */
const outline = (text: string): JsonObject => outlineOf(Buffer.from(text));

describe('an event names the same accounts by its outline as by its whole', () => {
  test('of GitHub, in each published payload', () => {
    const bodies = samples.flatMap(({ examples }) => examples as unknown as JsonObject[]);
    const found = bodies.map((body) => github.accountsIn({}, outline(JSON.stringify(body, null, 2))));
    expect(found).toEqual(bodies.map((body) => github.accountsIn({}, body)));
    expect(found.filter((accounts) => accounts.length > 0).length).toBeGreaterThan(100);
  });

  test('of GitLab, in each kind that it documents', () => {
    const of = gitlabEvents('shop/pos');
    const bodies: JsonObject[] = [
      ...[of.push, of.systemPush, of.repositoryUpdate, of.proposed('open'), of.ofProject('project_create')],
      ...[of.ofGroup('group_create', 'shop/pos/web'), of.vulnerability('confirmed', '2026-11-01T00:46:14.413Z')],
    ];
    const found = bodies.map((body) => gitlab.accountsIn({}, outline(JSON.stringify(body))));
    expect(found).toEqual(bodies.map((body) => gitlab.accountsIn({}, body)));
    expect(found.every((accounts) => accounts.length > 1)).toBe(true);
  });
});

test('the texts of any document are those that its parser finds', () => {
  const name = fc.string({ unit: 'binary', maxLength: 6 });
  const property = fc.property(fc.dictionary(name, fc.jsonValue({ maxDepth: 3 })), (written) => {
    const text = JSON.stringify(written);
    const body = JSON.parse(text) as JsonObject;
    const read = outline(text);
    const objects = Object.entries(body).filter(([, one]) => !Array.isArray(one));
    const paths = objects.flatMap(([first, one]) => [
      [first],
      ...Object.keys(Object(one)).map((next) => [first, next]),
    ]);
    expect(paths.map((path) => textAt(read, ...path))).toEqual(paths.map((path) => textAt(body, ...path)));
  });
  fc.assert(property, { numRuns: 100 });
});

test.each([
  ['lists', '[{"a":"x"}]', undefined],
  ['objects in lists', '{"list":[{"a":"x"}],"a":"y"}', 'y'],
  ['objects below', '{"b":{"c":{"d":{"a":"x"}}},"a":"y"}', 'y'],
  ['long texts', `{"a":"${'x'.repeat(2_000)}"}`, undefined],
  ['escapes', '{"\\u0061":"\\"y\\\\"}', '"y\\'],
  ['escapes that there are not', '{"a":"\\y"}', undefined],
  ['a text without an end', '{"a":"y', 'y'],
  ['brackets in texts', '{"b":"}{[","a":"y"}', 'y'],
  ['more brackets than it opened', '}}]{"a":"y"}', undefined],
])('%s of an outline', (_, text, found) => {
  expect(textAt(outline(text), 'a')).toBe(found);
});

test('a document of many texts is left after the first ones', () => {
  const many = Array.from({ length: 30_000 }, (_, n) => `"k${n}":{}`).join();
  expect(outline(`{"x":{${many}},"a":"y"}`)).not.toHaveProperty('a');
});
