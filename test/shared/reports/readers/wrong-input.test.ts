import { describe, expect, test } from 'vitest';
import { reportFormats } from '#shared/reports/formats/declared.ts';
import { readReport } from '#shared/reports/formats/read.ts';
import { FORMAT_CHOICE, FORMAT_IDS } from '#shared/reports/readers/format-ids.ts';
import { LIMITS } from '#shared/reports/report/report.ts';
import { codeOf, collect, eventsOf, findingsOf } from './reading.ts';

const MB = 1024 * 1024;

describe('a text that is no report ends with a reason and a remedy', () => {
  test.each([
    ['auto', '', 'empty_report'],
    ['sarif', ' \n\t ', 'empty_report'],
    ['nuclei', '', 'empty_report'],
    ['nmap', '\ufeff', 'empty_report'],
    ['auto', 'Hello, this is a text', 'unsupported_format'],
    ['auto', '{"hello": 1}', 'unsupported_format'],
    ['sarif', '{"hello": 1}', 'unsupported_format'],
    ['sarif', '{"version": "2.1.0", "runs": {}}', 'unsupported_format'],
    ['sarif', '{"version": "1.0.0", "runs": []}', 'unsupported_format'],
    ['sarif', '<nmaprun/>', 'unsupported_format'],
    ['nmap', '<NessusClientData_v2/>', 'unsupported_format'],
    ['nmap', '{"version": "2.1.0", "runs": []}', 'unsupported_format'],
    ['nuclei', '{"version": "2.1.0", "runs": []}', 'unsupported_format'],
    ['unheard-of', '<x/>', 'unsupported_format'],
    ['toString', '<x/>', 'unsupported_format'],
    ['sarif', '{"version": "2.1.0", "runs": [}', 'invalid_report'],
    ['sarif', '{"version": "2.1.0", "runs": [{"results": [{"a":]}]}', 'invalid_report'],
    ['sarif', '{"version": "2.1.0", "runs": [{"artifacts": [tru]}]}', 'invalid_report'],
    ['sarif', '{"version": "2.1.0",, "runs": []}', 'invalid_report'],
    ['sarif', '{"version": "2.1.0", "runs": [],}', 'invalid_report'],
    ['sarif', '{"version": "2.1.0", "runs": []} {}', 'invalid_report'],
    ['sarif', '{"version": "2.1.0", "runs": []', 'truncated_report'],
    ['nuclei', '[{"template-id": "x"},]', 'invalid_report'],
    ['nmap', '<nmaprun><host></nmaprun>', 'invalid_report'],
    ['nmap', '<nmaprun><host>&unknown;</host></nmaprun>', 'invalid_report'],
    ['nmap', `${'<nmaprun>'.repeat(200)}`, 'invalid_report'],
    ['nmap', '<?xml version="1.0" encoding="x-unknown"?><nmaprun/>', 'invalid_report'],
  ])('%s %j is %s', async (format, text, code) => {
    expect(await codeOf(eventsOf(format, text))).toBe(code);
  });

  test('a message about formats names all of them', () => {
    expect(FORMAT_IDS).toEqual(reportFormats.map(({ id }) => id));
  });

  test('an unknown format names the known ones', async () => {
    await expect(eventsOf('unheard-of', 'x')).rejects.toThrow(`Known formats: ${FORMAT_CHOICE}`);
  });
});

describe('XML that attacks its reader', () => {
  const nmap = (doctype: string, text = '') =>
    `<?xml version="1.0"?>${doctype}<nmaprun>${text}<runstats><finished/></runstats></nmaprun>`;
  const laughs = `<!DOCTYPE nmaprun [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(50)}"><!ENTITY c "${'&b;'.repeat(50)}">]>`;
  test.each([
    ['an entity that reads a file', '<!DOCTYPE nmaprun [<!ENTITY x SYSTEM "file:///etc/passwd">]>', '&x;'],
    ['an entity that expands without end', laughs, '&c;'],
    ['a parameter entity', '<!DOCTYPE nmaprun [<!ENTITY % p SYSTEM "http://192.0.2.1/x.dtd"> %p;]>', ''],
    ['an entity beside an external type', '<!DOCTYPE nmaprun SYSTEM "x.dtd" [<!ENTITY x "y">]>', '&x;'],
    ['an entity within an external type', '<!DOCTYPE nmaprun SYSTEM "x.dtd<!ENTITY x">', ''],
    [
      'an entity among elements',
      '<!DOCTYPE nmaprun [<!ELEMENT a (#PCDATA)><!ENTITY x "y"><!ATTLIST a b CDATA "">]>',
      '&x;',
    ],
    ['an entity in a comment that ends early', '<!DOCTYPE nmaprun [<!-- > --><!ENTITY x "y">]>', '&x;'],
    ['an entity in lower case or after a blank', '<!DOCTYPE nmaprun [<! ENTITY x "y"><!entity x "y">]>', ''],
    ['a notation', '<!DOCTYPE nmaprun [<!NOTATION gif SYSTEM "file:///bin/sh">]>', ''],
    ['an instruction', '<!DOCTYPE nmaprun [<?xml-stylesheet href="file:///etc/passwd"?>]>', ''],
    ['a conditional section', '<!DOCTYPE nmaprun [<![INCLUDE[<!ELEMENT a ANY>]]>]>', ''],
    ['a parameter entity within a declaration', '<!DOCTYPE nmaprun [<!ELEMENT a (%p;)>]>', ''],
    ['a document type without end', `<!DOCTYPE nmaprun [${'<!ELEMENT a ANY>'.repeat(10_000)}]>`, ''],
  ])('%s is refused before anything is read', async (_name, doctype, text) => {
    expect(await codeOf(eventsOf('nmap', nmap(doctype, text)))).toBe('unsafe_xml');
  });

  test('the plain document type that Nmap writes is fine', async () => {
    expect(await codeOf(eventsOf('nmap', nmap('<!DOCTYPE nmaprun>')))).toBe('none');
  });

  test.each([
    '<!DOCTYPE nmaprun SYSTEM "http://192.0.2.1/x.dtd">',
    "<!DOCTYPE nmaprun SYSTEM '/usr/share/doc/nmap/nmap.dtd' >",
    '<!DOCTYPE nmaprun PUBLIC "-//x//y" "https://192.0.2.1/x.dtd?a=b&c=%20">',
    '<!DOCTYPE nmaprun SYSTEM "x.dtd" [<!ELEMENT a ANY>]>',
  ])('the external document type of %s is ignored, so that none of its entities is known', async (doctype) => {
    expect(await codeOf(eventsOf('nmap', nmap(doctype)))).toBe('none');
    expect(await codeOf(eventsOf('nmap', nmap(doctype, '&x;')))).toBe('invalid_report');
  });

  test('declarations of elements and attributes, as Burp writes them, are fine', async () => {
    const declared = '<!ELEMENT nmaprun (host*)>\n<!-- hosts -->\n<!ATTLIST nmaprun version CDATA "">';
    expect(await codeOf(eventsOf('nmap', nmap(`<!DOCTYPE nmaprun [\n${declared}\n]>`)))).toBe('none');
    expect(await codeOf(eventsOf('nmap', nmap('<!DOCTYPE nmaprun []>', '&undeclared;')))).toBe('invalid_report');
  });
});

describe('one entry without end', () => {
  const endless = (head: string, repeated: string) => {
    const filler = Buffer.from(repeated.repeat(MB / repeated.length));
    return async function* () {
      yield Buffer.from(head);
      for (let index = 0; index <= LIMITS.rawValue / MB; index += 1) yield filler;
    };
  };
  test.each([
    ['sarif', '{"version":"2.1.0","runs":[{"results":[{"message":{"text":"', 'x'],
    ['sarif', '{"version":"2.1.0","runs":[{"results":[{"a":[', '[1],'],
    ['sarif', '{"version":"2.1.0","', 'k'],
    ['nmap', '<nmaprun><host><ports><port portid="', '1'],
    ['nmap', '<nmaprun><host><ports><port>', '<a/>'],
    ['nmap', '<nmaprun><!-- ', '-x '],
    ['nuclei', '{"template-id":"', 'x'],
    ['nuclei', '[{"template-id":"', 'x'],
  ])('%s: %s... is stopped before it fills the memory', async (format, head, repeated) => {
    expect(await codeOf(collect(readReport(format, endless(head, repeated))))).toBe('too_large');
  });
});

describe('a SARIF that describes without end', () => {
  const endless = (head: string, entry: string) => {
    const filler = Buffer.from(`${entry},`.repeat(10_000));
    return async function* () {
      yield Buffer.from(head);
      for (let index = 0; index < 500; index += 1) yield filler;
    };
  };
  test.each([
    ['{"version":"2.1.0","runs":[', '{"results":[]}'],
    ['{"version":"2.1.0","runs":[{"tool":{"driver":{"rules":[', '{"id":"r"}'],
    ['{"version":"2.1.0","runs":[{"taxonomies":[', '{"name":"n"}'],
  ])('%s%s... is stopped before it fills the memory', async (head, entry) => {
    expect(await codeOf(collect(readReport('sarif', endless(head, entry))))).toBe('too_large');
  });
});

test('a large report is not refused for parts that nothing refers to, nor for its many files', async () => {
  const many = (entry: string) => Array(400_000).fill(entry).join();
  const parts = `"logicalLocations":[${many('{}')}],"artifacts":[${many('{"location":{"uri":"src/a/file.c"}}')}]`;
  const text = `{"version":"2.1.0","runs":[{"results":[{"ruleId":"r"}],${parts}}]}`;
  expect(findingsOf(await eventsOf('sarif', text))).toHaveLength(1);
});

test('however long its texts and lists, a finding stays within the limits', async () => {
  const long = '\u{1F600}é'.repeat(20_000);
  const result = {
    ruleId: long,
    message: { text: long },
    locations: [
      { physicalLocation: { artifactLocation: { uri: long }, region: { startLine: 1, snippet: { text: long } } } },
    ],
    codeFlows: [
      { threadFlows: [{ locations: Array(500).fill({ location: { message: { text: 'step'.repeat(200) } } }) }] },
    ],
    properties: {
      tags: Array.from(
        { length: 500 },
        (_, index) => `${index} CVE-2024-${10_000 + index} CWE-${index} ${long.slice(0, 1000)}`,
      ),
    },
    fingerprints: { a: long },
  };
  const runs = [{ tool: { driver: { name: 'demo' } }, results: [result] }];
  const [finding] = findingsOf(await eventsOf('sarif', JSON.stringify({ version: '2.1.0', runs })));
  const size = (text = '') => Buffer.byteLength(text);
  expect(size(finding?.title)).toBeLessThanOrEqual(LIMITS.title);
  expect(size(finding?.description)).toBeLessThanOrEqual(LIMITS.description);
  expect(size(finding?.location.snippet)).toBeLessThanOrEqual(LIMITS.snippet);
  expect(size(finding?.location.path)).toBeLessThanOrEqual(LIMITS.location);
  expect(size(finding?.evidence[0]?.content)).toBeLessThanOrEqual(LIMITS.evidence);
  expect(finding?.tags.length).toBeLessThanOrEqual(LIMITS.tags);
  expect(finding?.cves.length).toBeLessThanOrEqual(LIMITS.identifiers);
  expect(JSON.stringify(finding)).not.toContain('\ufffd');
});

test('two identities that differ only beyond the limit stay two', async () => {
  const result = (end: string) => ({ ruleId: 'r', message: { text: 'm'.repeat(10_000) + end } });
  const runs = [{ tool: { driver: { name: 'demo' } }, results: [result('a'), result('b')] }];
  const findings = findingsOf(await eventsOf('sarif', JSON.stringify({ version: '2.1.0', runs })));
  expect(findings[0]?.identity).not.toEqual(findings[1]?.identity);
});

test('a report of a million tiny entries that mean nothing ends with a reason', async () => {
  const report = `{"errors":[],"results":[${Array.from({ length: 1_000_000 }, () => '7').join(',')}]}`;
  expect(await codeOf(eventsOf('bandit', report))).toBe('invalid_report');
});
