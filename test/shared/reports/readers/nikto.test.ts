import { expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { codeOf, eventsOf, findingsOf } from './reading.ts';

test('all pages with one message are one finding of the site', async () => {
  const findings = findingsOf(await eventsOf('auto', fixture('nikto/old.json')));
  expect(findings).toHaveLength(3);
  expect(findings[1]).toEqual({
    title: 'Potentially interesting backup/cert file found.',
    severity: 'info',
    ruleId: '740001',
    cves: [],
    cwes: [],
    asset: { type: 'url', value: 'https://www.example.test' },
    location: {
      host: 'www.example.test',
      port: 443,
      protocol: 'tcp',
      url: 'https://www.example.test/www.zip',
      snippet: 'HEAD',
    },
    otherLocations: [
      {
        host: 'www.example.test',
        port: 443,
        protocol: 'tcp',
        url: 'https://www.example.test/site.pem',
        snippet: 'HEAD',
      },
    ],
    evidence: [],
    references: [],
    tags: [],
    identity: ['740001', 'Potentially interesting backup/cert file found.'],
  });
  expect(findings[2]?.tags).toEqual(['OSVDB-3092']);
});

test('old and new JSON give the same finding', async () => {
  const [old] = findingsOf(await eventsOf('auto', fixture('nikto/old.json')));
  const [current] = findingsOf(await eventsOf('auto', fixture('nikto/new.json')));
  expect(current?.identity).toEqual(old?.identity);
  expect(current?.references).toEqual(['https://docs.example.test/hsts']);
});

test('a value that changes from scan to scan makes no new finding; each site is named, also without an item', async () => {
  const text = fixture('nikto/report.xml').toString();
  const events = await eventsOf('auto', text);
  const later = await eventsOf('auto', text.replace('contents: HIT', 'contents: MISS').replace('(302)', '(503)'));
  const identities = (all: typeof events) => findingsOf(all).map(({ identity }) => identity);
  expect(identities(later)).toEqual(identities(events));
  expect(events.flatMap((event) => (event.kind === 'covered' ? [event.target.value] : []))).toEqual([
    'https://www.example.test',
    'http://api.example.test:8080',
  ]);
});

test('old versions leave commas behind the last item and do not quote numbers', async () => {
  const item = (id: number) => `{"id":${id},"OSVDB":3092,"method":"GET","url":"/,]","msg":"a, ] \\" b"}`;
  const old = `{"host":"h.test","ip":"1.2.3.4","port":"80","banner":"","vulnerabilities":[${item(7)},${item(8)}, \n],}`;
  for (const size of [1, 1000]) {
    const findings = findingsOf(await eventsOf('auto', old, size));
    expect(findings.map(({ ruleId, title, tags }) => [ruleId, title, tags])).toEqual([
      ['7', 'a, ] " b', ['OSVDB-3092']],
      ['8', 'a, ] " b', ['OSVDB-3092']],
    ]);
  }
});

test('an item without a message is rejected; a report of nothing is clean', async () => {
  const host = { host: 'h.test', ip: '1.2.3.4', port: '80', banner: 'x' };
  const events = await eventsOf('auto', JSON.stringify({ ...host, vulnerabilities: [{ id: '1' }] }));
  expect(events.map(({ kind }) => kind)).toEqual(['tool', 'rejected', 'covered']);
  expect(await codeOf(eventsOf('auto', JSON.stringify({ ...host, vulnerabilities: [] })))).toBe('none');
  for (const dtd of ['docs/nikto.dtd', '/var/lib/nikto/docs/nikto.dtd', 'https://cirt.net/nikto.dtd'])
    expect(await codeOf(eventsOf('auto', `<!DOCTYPE niktoscan SYSTEM "${dtd}"><niktoscan></niktoscan>`))).toBe('none');
});

test('the scans of several runs in one file are all read', async () => {
  const scan = (host: string) =>
    `<niktoscan><scandetails targethostname="${host}" targetport="80"><item id="1"><description>d</description><uri>/</uri></item><statistics/></scandetails></niktoscan>`;
  const events = await eventsOf('auto', `<niktoscans>${scan('a.test')}${scan('b.test')}</niktoscans>`);
  expect(findingsOf(events).map(({ asset }) => asset?.value)).toEqual(['http://a.test', 'http://b.test']);
});

test('a host whose scan has no statistics was not scanned to its end', async () => {
  const scan = (host: string, end: string) =>
    `<niktoscan><scandetails targethostname="${host}" targetport="80"><item id="1"><description>d</description><uri>/</uri></item>${end}</scandetails></niktoscan>`;
  const events = await eventsOf(
    'auto',
    `<niktoscans>${scan('a.test', '<statistics/>')}${scan('b.test', '')}</niktoscans>`,
  );
  const outcomes = events.flatMap((event) => (event.kind === 'covered' ? [[event.target.value, event.outcome]] : []));
  expect(outcomes).toEqual([
    ['http://a.test', 'reached'],
    ['http://b.test', 'failed'],
  ]);
});
