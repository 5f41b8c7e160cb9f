import { fixture } from './recorded.ts';

export const sarif = fixture('sarif/semgrep.sarif').toString();
export const nmap = fixture('nmap/localhost.xml').toString();

const doctype = (declaration: string) => nmap.replace(/<!DOCTYPE nmaprun>/, `<!DOCTYPE nmaprun ${declaration}>`);
const entries = JSON.stringify({
  version: '2.1.0',
  runs: [{ tool: { driver: { name: 'x' } }, results: [1, 'two', null] }],
});

/** Reports that are accepted and fail when they are read. */
export const failures = [
  { name: 'a truncated SARIF', report: { content: sarif.slice(0, -40) }, code: 'truncated_report', says: /ends early/ },
  {
    name: 'a truncated Nmap report',
    report: { format: 'nmap', content: nmap.slice(0, -40) },
    code: 'truncated_report',
    says: /.../,
  },
  {
    name: 'an XML that expands entities',
    report: { format: 'nmap', content: doctype('[<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]') },
    code: 'unsafe_xml',
    says: /expand/,
  },
  {
    name: 'an XML with an external entity',
    report: { format: 'nmap', content: doctype('[<!ENTITY a SYSTEM "file:///etc/passwd">]') },
    code: 'unsafe_xml',
    says: /read files/,
  },
  {
    name: 'a report whose every entry is invalid',
    report: { content: entries },
    code: 'invalid_report',
    says: /None of the report's 3 entries/,
  },
  {
    name: 'a report of another format than it says',
    report: { format: 'nuclei', content: nmap },
    code: 'unsupported_format',
    says: /Nuclei/i,
  },
];
