import { describe, expect, test } from 'vitest';
import { eventsOf, findingsOf } from './reading.ts';

const run = (parts: object) => ({ tool: { driver: { name: 'demo' } }, results: [], ...parts });
const sarif = (...runs: object[]) => JSON.stringify({ version: '2.1.0', runs });

async function findingOf(result: object, parts: object = {}) {
  const finding = findingsOf(await eventsOf('sarif', sarif(run({ results: [result], ...parts }))))[0];
  if (!finding) throw new Error('the result gave no finding');
  return finding;
}

describe('results of one identity', () => {
  const place = (uri: string, region: object, names: string[] = []) => ({
    physicalLocation: { artifactLocation: { uri }, region },
    logicalLocations: names.map((fullyQualifiedName) => ({ fullyQualifiedName })),
  });
  const result = (location: object, text = 'm') => ({
    ruleId: 'r',
    message: { text },
    locations: [location],
    partialFingerprints: { hash: 'same' },
  });
  const identities = async (...results: object[]) =>
    findingsOf(await eventsOf('sarif', sarif(run({ results })))).map(({ identity }) => identity.join(' '));

  test.each([
    ['name other objects', [place('a.tf', {}, ['logs']), place('a.tf', {}, ['backups'])]],
    [
      'are in other columns',
      [place('a', { startLine: 4, startColumn: 1 }), place('a', { startLine: 4, startColumn: 26 })],
    ],
    ['are at other bytes of a file', [place('a.exe', { byteOffset: 8 }), place('a.exe', { byteOffset: 80 })]],
  ])('that %s are two problems, and each of them again is the same one', async (_, places) => {
    const found = await identities(...[...places, ...places].map((one) => result(one)));
    expect(new Set(found.slice(0, 2)).size).toBe(2);
    expect(found.slice(2)).toEqual(found.slice(0, 2));
  });

  test('that say different things of one place are two problems', async () => {
    const at = place('.env', { startLine: 4 });
    const [first, second] = await identities(result(at, 'A is in clear text'), result(at, 'B is in clear text'));
    expect(first).not.toBe(second);
  });

  test('keep the numbers of their lines when one line has a second problem', async () => {
    const at = (startLine: number, startColumn: number) => result(place('a', { startLine, startColumn }));
    expect(await identities(at(3, 1), at(9, 1))).toEqual(['r a hash:same', 'r a hash:same #2']);
    expect(await identities(at(3, 1), at(3, 7), at(9, 1))).toEqual([
      'r a hash:same',
      'r a hash:same .2',
      'r a hash:same #2',
    ]);
  });
});

test('a result that is alone in its tool, or on its image, has no number', async () => {
  const result = (startColumn: number) => ({
    ruleId: 'r',
    message: { text: 'm' },
    locations: [{ physicalLocation: { artifactLocation: { uri: 'a' }, region: { startLine: 4, startColumn } } }],
  });
  const identities = async (...runs: object[]) =>
    findingsOf(await eventsOf('sarif', sarif(...runs.map(run)))).map(({ identity }) => identity);
  const alone = ['r', 'a', 'message:m'];
  const second = { tool: { driver: { name: 'second' } }, results: [result(9)] };
  expect(await identities({ results: [result(1)] }, second)).toEqual([alone, alone]);
  const images = ['web:1', 'api:1'].map((imageName, at) => ({ properties: { imageName }, results: [result(at + 1)] }));
  expect(await identities(...images)).toEqual([alone, alone]);
  expect(await identities({ results: [result(1)] }, { results: [result(2)] })).toEqual([alone, [...alone, '.2']]);
});

describe('places on web sites and code hosts', () => {
  const on = async (artifactLocation: object, parts: object = {}) => {
    const { asset, location } = await findingOf(
      { ruleId: 'r', message: { text: 'm' }, locations: [{ physicalLocation: { artifactLocation } }] },
      parts,
    );
    return { asset: asset?.value, place: location.path ?? location.url };
  };
  const SHA = '2f8c1b7d9a4e6053c1d2e3f4a5b6c7d8e9f0a1b2';

  test.each([
    [`https://github.com/acme/shop/blob/${SHA}/src/my%20a.py`, 'https://github.com/acme/shop', 'src/my a.py'],
    ['https://raw.githubusercontent.com/acme/shop/main/src/a.py', 'https://github.com/acme/shop', 'src/a.py'],
    ['https://gitlab.com/acme/shop/-/blob/main/src/a.py', 'https://gitlab.com/acme/shop', 'src/a.py'],
    ['https://git.example.test/acme/web/shop/-/blob/main/a.py', 'https://git.example.test/acme/web/shop', 'a.py'],
    [`https://git.example.test/acme/shop/blob/${SHA}/a.py`, 'https://git.example.test/acme/shop', 'a.py'],
    [`https://bitbucket.org/acme/shop/src/${SHA}/a.py`, 'https://bitbucket.org/acme/shop', 'a.py'],
    ['https://codeberg.org/acme/shop/src/branch/main/a.py', 'https://codeberg.org/acme/shop', 'a.py'],
    ['https://github.com/acme/shop', 'https://github.com/acme/shop', 'https://github.com/acme/shop'],
    ['https://github.com/acme/shop/settings', 'https://github.com/acme/shop', 'https://github.com/acme/shop/settings'],
    ['https://shop.example.test/a/b/blob/c', 'https://shop.example.test', 'https://shop.example.test/a/b/blob/c'],
  ])('%s is of %s', async (uri, asset, place) => {
    expect(await on({ uri })).toEqual({ asset, place });
  });

  test('a page of the repository that the run names is of that repository', async () => {
    const repositoryUri = 'https://git.example.test/acme/shop';
    const parts = { versionControlProvenance: [{ repositoryUri }] };
    expect(await on({ uri: `${repositoryUri}/settings` }, parts)).toEqual({
      asset: repositoryUri,
      place: `${repositoryUri}/settings`,
    });
  });

  const bases = {
    originalUriBaseIds: {
      SITE: { uri: 'http://shop.test:3333' },
      ADMIN: { uri: 'admin/', uriBaseId: 'SITE' },
      CODE: { uri: 'https://github.com/acme/shop/blob/main/' },
      DRIVE: { uri: 'file:///D:/build/shop/' },
      FOLDER: { uri: '/data/build' },
    },
  };
  test.each([
    [{ uri: 'login', uriBaseId: 'SITE' }, 'http://shop.test:3333', 'http://shop.test:3333/login'],
    [{ uri: 'users', uriBaseId: 'ADMIN' }, 'http://shop.test:3333', 'http://shop.test:3333/admin/users'],
    [{ uriBaseId: 'SITE' }, 'http://shop.test:3333', 'http://shop.test:3333/'],
    [{ uri: 'src/a.py', uriBaseId: 'CODE' }, 'https://github.com/acme/shop', 'src/a.py'],
    [{ uri: 'file:///D:/build/shop/A.cs' }, undefined, 'A.cs'],
    [{ uri: 'A.cs', uriBaseId: 'FOLDER' }, undefined, 'A.cs'],
    [{ uri: '/data/build/A.cs' }, undefined, 'A.cs'],
  ])('the base of %o is resolved', async (artifactLocation, asset, place) => {
    expect(await on(artifactLocation, bases)).toEqual({ asset, place });
  });

  test('a result without a place is on the page that it asked for, and shows request and response', async () => {
    const webRequests = [
      { method: 'GET', target: 'https://shop.test/a', protocol: 'HTTP', version: '1.1', headers: { Accept: '*/*' } },
    ];
    const webResponses = [
      { protocol: 'HTTP', version: '1.1', statusCode: 200, reasonPhrase: 'OK', body: { text: 'hello' } },
    ];
    const result = { ruleId: 'r', message: { text: 'm' }, webRequest: { index: 0 }, webResponse: { index: 0 } };
    expect(await findingOf(result, { webRequests, webResponses })).toMatchObject({
      asset: { type: 'url', value: 'https://shop.test' },
      location: { url: 'https://shop.test/a' },
      evidence: [
        { kind: 'http', content: 'GET https://shop.test/a HTTP/1.1\nAccept: */*' },
        { kind: 'http', content: 'HTTP/1.1 200 OK\n\nhello' },
      ],
    });
  });
});

describe('objects that results name by their index in the run', () => {
  const location = (uri: string, startLine: number) => ({
    physicalLocation: { artifactLocation: { uri }, region: { startLine } },
    message: { text: 'step' },
  });

  test('a data flow shows the steps of the run, also when the run has them after its results', async () => {
    const flow = { codeFlows: [{ threadFlows: [{ locations: [{ index: 1 }, { index: 0 }, { index: 7 }] }] }] };
    const threadFlowLocations = [{ location: location('Db.java', 50) }, { location: location('In.java', 5) }];
    const { evidence } = await findingOf({ ruleId: 'r', message: { text: 'm' }, ...flow }, { threadFlowLocations });
    expect(evidence).toEqual([{ kind: 'text', content: 'In.java:5 step\nDb.java:50 step\nsomewhere' }]);
  });

  test('a logical location has the name in the list of the run', async () => {
    const logicalLocations = [{ name: 'Run', fullyQualifiedName: 'Shop.Cart.Run' }];
    const locations = [{ logicalLocations: [{ index: 0 }] }];
    const finding = await findingOf({ ruleId: 'r', message: { text: 'm' }, locations }, { logicalLocations });
    expect(finding.location.path).toBe('Shop.Cart.Run');
  });
});

describe('levels that an invocation gives to rules', () => {
  const driver = {
    name: 'demo',
    rules: ['A', 'B'].map((id) => ({ id, defaultConfiguration: { level: 'warning' } })),
  };
  const override = (descriptor: object, level: string) => ({ descriptor, configuration: { level } });
  const severity = async (result: object, ...invocations: object[][]) =>
    (
      await findingOf(
        { message: { text: 'm' }, ...result },
        {
          tool: { driver },
          invocations: invocations.map((ruleConfigurationOverrides) => ({ ruleConfigurationOverrides })),
        },
      )
    ).severity;

  test.each([
    ['by the id of the rule', { ruleId: 'A' }, [[override({ id: 'A' }, 'error')]], 'high'],
    ['by its index', { ruleIndex: 1 }, [[override({ index: 1 }, 'note')]], 'low'],
    ['of a rule that the report does not describe', { ruleId: 'X' }, [[override({ id: 'X' }, 'error')]], 'high'],
    ['but not of another rule', { ruleId: 'B' }, [[override({ id: 'A' }, 'error')]], 'medium'],
    ['after the level of the result', { ruleId: 'A', level: 'note' }, [[override({ id: 'A' }, 'error')]], 'low'],
    [
      'of the invocation that the result names',
      { ruleId: 'A', provenance: { invocationIndex: 1 } },
      [[override({ id: 'A' }, 'error')], [override({ id: 'A' }, 'note')]],
      'low',
    ],
  ])('hold %s', async (_, result, invocations, expected) => {
    expect(await severity(result, ...invocations)).toBe(expected);
  });
});
