import { describe, expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { codeOf, eventsOf, findingsOf } from './reading.ts';

const kex = {
  title: 'Weak Key Exchange (KEX) Algorithm(s) Supported (SSH)',
  description:
    'The SSH server allows weak key exchange.\n\n1024-bit groups are weak | small.\n\nAn attacker may break a connection.\n\nAffected: SSH servers.',
  severity: 'medium',
  toolSeverity: 'Medium',
  ruleId: '1.3.6.1.4.1.25623.1.0.150713',
  cves: ['CVE-2015-4000'],
  cwes: [],
  cvssScore: 5.3,
  asset: { type: 'host', value: '10.40.0.3' },
  location: { host: '10.40.0.3', port: 22, protocol: 'tcp' },
  evidence: [{ kind: 'text', content: 'diffie-hellman-group1-sha1' }],
  references: ['https://weakdh.example.test'],
  remediation: 'Disable the weak algorithms.',
  identity: ['1.3.6.1.4.1.25623.1.0.150713', '22/tcp'],
};

test('a result is the same finding in the XML and in the old and new CSV', async () => {
  const [xml, csv, old] = await Promise.all(
    ['report.xml', 'results.csv', 'old.csv'].map(async (file) =>
      findingsOf(await eventsOf('auto', fixture(`openvas/${file}`))),
    ),
  );
  const cvssVector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N';
  expect(xml?.[0]).toEqual({ ...kex, cvssVector, tags: ['solution:Mitigation', 'qod:80', 'CB-K21/0067'] });
  expect(csv?.[0]).toEqual({ ...kex, tags: ['solution:Mitigation', 'qod:80', 'CB-K21/0067'] });
  expect(old?.[0]).toEqual({ ...kex, tags: ['solution:Mitigation', 'CB-K21/0067'] });
  expect(xml?.slice(1)).toEqual([
    expect.objectContaining({ title: 'Traceroute', severity: 'info', location: { host: '10.40.0.3' } }),
  ]);
  expect(csv?.[1]?.identity).toEqual(xml?.[1]?.identity);
});

describe('closing', () => {
  test('a host is reached when its scan ended and no test failed on it', async () => {
    const covered = (await eventsOf('openvas', fixture('openvas/report.xml'))).flatMap((event) =>
      event.kind === 'covered' ? [[event.target.value, event.outcome]] : [],
    );
    expect(covered).toEqual([
      ['10.40.0.3', 'reached'],
      ['10.40.0.4', 'failed'],
      ['10.40.0.5', 'failed'],
    ]);
  });

  test('a scan that was stopped is not whole', async () => {
    const text = fixture('openvas/report.xml').toString().replace('>Done<', '>Stopped<');
    expect(await eventsOf('openvas', text)).toContainEqual({
      kind: 'incomplete',
      code: 'not_finished',
      first: 'the status is Stopped',
    });
  });

  test('an XML whose root has the same name is not a clean report', async () => {
    expect(await codeOf(eventsOf('openvas', '<report><page/></report>'))).toBe('unsupported_format');
  });
});

test('the answer of the API is read like the report within; a result without a test is rejected', async () => {
  const wrapped = fixture('openvas/report.xml')
    .toString()
    .replace('<result id="r2"><host>10.40.0.3</host>', '<result>');
  const events = await eventsOf('auto', `<get_reports_response status="200">${wrapped}</get_reports_response>`);
  expect(findingsOf(events)).toHaveLength(1);
  expect(events.map(({ kind }) => kind)).toContain('rejected');
});

test('a host keeps the names that were found for it, so that other tools know it too', async () => {
  const detail = '<detail><name>hostname</name><value>files.example.test</value></detail>';
  const host = `<host><ip>10.0.0.5</ip><end>2026-01-01T00:00:00Z</end>${detail}</host>`;
  const report = `<report><scan_run_status>Done</scan_run_status><results/>${host}</report>`;
  expect((await eventsOf('openvas', report)).at(-1)).toMatchObject({
    kind: 'covered',
    aliases: ['files.example.test'],
  });
});
