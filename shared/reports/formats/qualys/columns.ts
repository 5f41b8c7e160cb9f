import type { Column } from '../../readers/csv-header.ts';

export const ROOTS: ReadonlySet<string> = new Set([
  'SCAN',
  'ASSET_DATA_REPORT',
  'HOST_LIST_VM_DETECTION_OUTPUT',
  'WAS_SCAN_REPORT',
  'WAS_WEBAPP_REPORT',
]);

/*
 * The names of each field: attributes and elements of the XML of scans, asset reports and host detections, and columns of
 * the CSV of scans, asset reports, VMDR and PCI.
 */
export const COLUMNS = {
  qid: ['QID', 'number'],
  title: ['TITLE', 'Title', 'VULN TITLE'],
  host: ['IP', 'Asset IPV4', 'Asset IPV6'],
  dnsName: ['DNS', 'HOSTNAME', 'Asset Name', 'FQDN'],
  netbios: ['NETBIOS', 'NetBIOS'],
  status: ['VULN_STATUS', 'STATUS', 'Vuln Status', 'Status'],
  falsePositive: ['FALSE POSITIVE STATUS'],
  ignored: ['IS_IGNORED', 'IS_DISABLED', 'Ignored', 'Disabled'],
  type: ['TYPE', 'Type', 'Type Detected'],
  severity: ['Q_SEVERITY', 'SEVERITY', 'severity', 'Severity', 'KB Severity'],
  port: ['PORT', 'port', 'Port'],
  protocol: ['PROTOCOL', 'protocol', 'Protocol'],
  fqdn: ['FQDN', 'fqdn'],
  instance: ['INSTANCE', 'Instance'],
  threat: ['THREAT', 'DIAGNOSIS', 'Threat'],
  impact: ['IMPACT', 'CONSEQUENCE', 'Impact'],
  solution: ['SOLUTION', 'Solution'],
  result: ['RESULT', 'RESULTS', 'Results'],
  category: ['CATEGORY', 'Category', 'category'],
  cve: ['CVE_ID_LIST', 'cveid', 'CVE ID', 'CVEID', 'CVE'],
  vendor: ['VENDOR_REFERENCE_LIST', 'Vendor Reference'],
  pci: ['PCI_FLAG', 'PCI Vuln', 'IS_PCI'],
  cvss3: ['CVSS3_BASE', 'CVSS3_SCORE', 'CVSS3.1 Base', 'CVSS3 Base', 'CVSSv3.1 Base (nvd)'],
  cvss2: ['CVSS_BASE', 'CVSS_SCORE', 'CVSS Base', 'CVSSv2 Base (nvd)'],
} as const satisfies Record<string, readonly string[]>;

/** The columns of each of the CSV files. */
export const CSV_COLUMNS: readonly Column[] = [['IP', 'Asset IPV4'], 'QID', ['Title', 'VULN TITLE'], 'Severity'];
