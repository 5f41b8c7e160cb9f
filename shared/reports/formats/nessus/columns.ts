import type { Column } from '../../readers/csv-header.ts';

/*
 * The names of each field: in a .nessus file (attribute or element of a ReportItem), and in the CSV of Nessus, Tenable
 * Security Center and Tenable Vulnerability Management, old and new.
 */
export const COLUMNS = {
  plugin: ['pluginID', 'Plugin ID', 'Plugin', 'definition.id'],
  name: ['plugin_name', 'pluginName', 'Name', 'Plugin Name', 'definition.name'],
  family: ['pluginFamily', 'Plugin Family', 'Family', 'definition.family'],
  severity: ['severity', 'Risk', 'Severity', 'Risk Factor', 'risk_factor'],
  host: ['Host', 'IP Address', 'asset.display_ipv4_address', 'asset.ipv4_addresses', 'asset.host_name', 'asset.name'],
  dnsName: ['FQDN', 'DNS Name', 'asset.display_fqdn', 'asset.host_name', 'NetBios', 'NetBIOS Name'],
  mac: ['MAC Address', 'asset.mac_addresses'],
  url: ['url', 'uri', 'URL'],
  port: ['port', 'Port'],
  protocol: ['protocol', 'Protocol'],
  service: ['svc_name', 'Service'],
  state: ['Vulnerability State', 'state'],
  synopsis: ['synopsis', 'Synopsis', 'definition.synopsis'],
  description: ['description', 'Description', 'definition.description'],
  solution: ['solution', 'Solution', 'Steps to Remediate', 'definition.solution', 'cm:compliance-solution'],
  output: ['plugin_output', 'Plugin Output', 'Plugin Text', 'output'],
  seeAlso: ['see_also', 'See Also', 'definition.see_also', 'cm:compliance-see-also'],
  cve: ['cve', 'CVE', 'definition.cve'],
  cwe: ['cwe', 'CWE', 'definition.cwe'],
  xref: ['xref', 'XREF', 'Cross References', 'definition.references'],
  cpe: ['cpe', 'CPE', 'definition.cpe'],
  exploit: ['exploit_available', 'Exploit?'],
  check: ['cm:compliance-check-name', 'compliance.full_id'],
  information: ['cm:compliance-info'],
  expected: ['cm:compliance-policy-value'],
  benchmarks: ['cm:compliance-reference'],
  result: ['cm:compliance-result'],
  actual: ['cm:compliance-actual-value'],
} as const satisfies Record<string, readonly string[]>;

/** Vector and score of one CVSS version each, the newest first. */
export const CVSS_COLUMNS = [
  {
    vector: ['cvss4_vector', 'CVSS v4.0 Vector', 'CVSS V4 Vector', 'definition.cvss4.base_vector'],
    score: ['cvss4_base_score', 'CVSS v4.0 Base Score', 'CVSS V4 Base Score', 'definition.cvss4.base_score'],
  },
  {
    vector: ['cvss3_vector', 'CVSS v3.0 Vector', 'CVSS V3 Vector', 'CVSS3 Vector', 'definition.cvss3.base_vector'],
    score: [
      'cvss3_base_score',
      'CVSS v3.0 Base Score',
      'CVSS V3 Base Score',
      'CVSS3 Base Score',
      'definition.cvss3.base_score',
    ],
  },
  {
    vector: ['cvss_vector', 'CVSS v2.0 Vector', 'CVSS V2 Vector', 'CVSS Vector', 'definition.cvss2.base_vector'],
    score: [
      'cvss_base_score',
      'CVSS v2.0 Base Score',
      'CVSS V2 Base Score',
      'CVSS Base Score',
      'CVSS',
      'definition.cvss2.base_score',
    ],
  },
] as const;

/** The columns that any of these CSV files has, and that no other tool's has together. */
export const CSV_COLUMNS: readonly Column[] = [
  // A user may leave columns out, the plugin's number too.
  ['Plugin ID', 'Plugin', 'definition.id', 'Plugin Output'],
  ['Name', 'Plugin Name', 'definition.name'],
  ['Risk', 'Severity', 'severity'],
  COLUMNS.host,
];
