import { expect, test } from 'vitest';
import { codeOf, eventsOf, findingsOf } from './reading.ts';

// `npm run fuzz -- --hostile` found these: they cost more than their length, or ended in an error of the service.

test('a CSV without a header is refused after its first rows, not after its last', async () => {
  const before = process.cpuUsage().user;
  expect(await codeOf(eventsOf('openvas', 'a\n'.repeat(5_000_000)))).toBe('unsupported_format');
  expect((process.cpuUsage().user - before) / 1e6).toBeLessThan(2);
});

test('of a key that comes twice beside the findings the last value counts', async () => {
  const match = (id: string) => ({
    vulnerability: { id, severity: 'High' },
    artifact: { name: 'log4j', version: '2.14.1', type: 'java-archive', locations: [{ path: '/app.jar' }] },
  });
  const report = JSON.stringify({ matches: [match('CVE-2021-44228')], descriptor: { name: 'grype', version: '1' } });
  const twice = `${report.slice(0, -1)},"x":1,"x":[],"x":{"a":1},"descriptor":{"name":"grype","version":"2"}}`;
  expect(findingsOf(await eventsOf('grype', twice))).toEqual(findingsOf(await eventsOf('grype', report)));
  const trivy = '{"SchemaVersion":2,"SchemaVersion":2,"ArtifactName":"a","ArtifactName":"b","Results":[]}';
  expect(await codeOf(eventsOf('trivy', trivy))).toBe('none');
});
