import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Block, ReportDocument } from '#shared/reporting/document.ts';
import { writePdf } from '#shared/reporting/write/pdf.ts';

const MONTHS = ['Nov', 'Dec', 'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct'];
const ADDRESS = 'https://exposure.example.com';
const link = (text: string, path: string) => ({ text, link: `${ADDRESS}${path}` });

const APPLICATIONS: [string, string, number, number, number, number][] = [
  ['Customer portal', 'Web Platform', 812, 14, 61, 0.81],
  ['Payments', 'Payments', 744, 9, 40, 0.93],
  ['Ordini e fatturazione – Milano', 'Finance IT', 590, 8, 77, 0.64],
  ['Größenkatalog für Händler', 'Handel', 411, 5, 33, 0.88],
  ['Εφαρμογή Πελατών', 'Customer Care', 377, 4, 29, 0.9],
  ['Складской учёт', 'Logistics', 301, 3, 41, 0.72],
  ['在庫管理システム', 'Logistics Tokyo', 255, 2, 18, 0.95],
  ['주문 처리 서비스', 'Commerce Seoul', 213, 2, 16, 0.97],
  ['客户服务平台', 'Customer Care Asia', 190, 1, 22, 0.9],
  ['legacy-integration-gateway-for-partner-data-exchange-eu-west-1-production', 'Integration', 120, 1, 9, 1],
];

const blocks = {
  verdict: {
    block: 'verdict',
    tone: 'better',
    text: 'The exposure is better than in September: 212 fewer findings are open, and nine of ten critical ones were fixed in time.',
  },
  tiles: {
    block: 'tiles',
    tiles: [
      {
        label: 'Exposure score',
        value: '71',
        change: '−6 since September',
        tone: 'better',
        spark: [88, 86, 87, 84, 85, 82, 83, 80, 81, 79, 77, 71],
        link: `${ADDRESS}/home`,
      },
      {
        label: 'Open critical and high',
        value: '1,204',
        change: '−212 since September',
        tone: 'better',
        spark: [1801, 1780, 1690, 1720, 1700, 1640, 1600, 1610, 1550, 1480, 1416, 1204],
        link: `${ADDRESS}/findings`,
      },
      {
        label: 'Known to be exploited, open',
        value: '17',
        change: '+3 since September',
        tone: 'worse',
        spark: [8, 9, 9, 12, 14, 13, 11, 12, 10, 13, 14, 17],
        link: `${ADDRESS}/vulnerabilities`,
      },
      {
        label: 'Fixed within the SLA',
        value: '91 %',
        change: '+2 points',
        tone: 'better',
        spark: [80, 81, 83, 82, 85, 84, 86, 88, 88, 87, 89, 91],
        link: null,
      },
      {
        label: 'Mean time to fix critical findings',
        value: '11.4 days',
        change: 'as in September',
        tone: 'stable',
        spark: [16, 15, 15, 14, 13, 13, 12, 12, 12, 11, 11.4, 11.4],
        link: null,
      },
      { label: 'Assets scanned within 30 days', value: '94 %', change: null, tone: 'none', spark: [], link: null },
    ],
  },
  decisions: {
    block: 'decisions',
    decisions: [
      {
        text: 'Replace the file transfer appliance in Milan: three known-exploited vulnerabilities have no fix from its vendor.',
        owner: 'Ana Petrović',
        dueDate: '2026-11-15',
        link: `${ADDRESS}/vulnerabilities?filter=kev`,
      },
      {
        text: 'Extend the scan of the Tokyo network to the 41 hosts that nobody has scanned for 90 days.',
        owner: 'Kenji Watanabe',
        dueDate: '2026-11-30',
        link: null,
      },
      {
        text: 'Renew or end 23 accepted risks that end within 90 days.',
        owner: null,
        dueDate: null,
        link: `${ADDRESS}/risks`,
      },
    ],
  },
  months: {
    block: 'chart',
    id: 'open-by-severity',
    title: 'Open findings by severity, with created and closed',
    text: 'More findings were closed than created in each of the last four months.',
    chart: {
      chart: 'stacked-bars',
      labels: MONTHS,
      series: [
        {
          label: 'Critical',
          colour: 'critical',
          values: [null, 310, 290, 301, 280, 262, 250, 255, 231, 214, 190, 151],
        },
        {
          label: 'High',
          colour: 'high',
          values: [null, 1470, 1400, 1419, 1420, 1378, 1350, 1355, 1319, 1266, 1226, 1053],
        },
        {
          label: 'Medium',
          colour: 'medium',
          values: [null, 2100, 2130, 2080, 2010, 2060, 1990, 1930, 1900, 1850, 1800, 1740],
        },
        { label: 'Low', colour: 'low', values: [null, 800, 780, 790, 760, 750, 740, 735, 720, 700, 690, 680] },
      ],
      lines: [
        { label: 'Created', colour: 'neutral', values: [null, 900, 1010, 980, 870, 930, 840, 900, 760, 740, 700, 690] },
        { label: 'Closed', colour: 'good', values: [null, 860, 990, 1003, 950, 950, 960, 925, 890, 910, 880, 972] },
      ],
    },
  },
  ages: {
    block: 'chart',
    id: 'ages',
    title: 'Age of open findings',
    text: '62 findings are older than 180 days; 40 of them wait for one vendor.',
    chart: {
      chart: 'bars',
      labels: ['0–30 days', '30–90 days', '90–180 days', 'over 180 days'],
      values: [1890, 1204, 468, 62],
      links: [`${ADDRESS}/findings?age=30`, null, null, `${ADDRESS}/findings?age=180`],
    },
  },
  sla: {
    block: 'chart',
    id: 'sla',
    title: 'Open findings by SLA',
    text: 'Eight of ten open findings are inside their time.',
    chart: {
      chart: 'share',
      parts: [
        { label: 'Inside the SLA', value: 2911, colour: 'good' },
        { label: 'Due within 7 days', value: 402, colour: 'medium' },
        { label: 'Overdue', value: 311, colour: 'bad' },
      ],
    },
  },
  applications: {
    block: 'table',
    id: 'applications',
    title: 'Applications with the highest risk',
    columns: [
      { key: 'name', label: 'Application', align: 'left', share: 4 },
      { key: 'owner', label: 'Team', align: 'left', share: 3 },
      { key: 'risk', label: 'Risk', align: 'right', share: 1 },
      { key: 'critical', label: 'Critical', align: 'right', share: 1.2 },
      { key: 'high', label: 'High', align: 'right', share: 1 },
      { key: 'sla', label: 'In SLA', align: 'right', share: 1.2 },
    ],
    rows: APPLICATIONS.map(([name, owner, risk, critical, high, sla]) => [
      link(name, '/applications'),
      owner,
      risk,
      critical,
      high,
      `${Math.round(sla * 100)} %`,
    ]),
    empty: 'No application is recorded.',
    total: 312,
  },
  course: {
    block: 'chart',
    id: 'kev',
    title: 'Known-exploited vulnerabilities, open',
    text: 'The appliance in Milan brought three of the 17.',
    chart: {
      chart: 'lines',
      labels: MONTHS,
      series: [{ label: 'Open', colour: 'bad', values: [8, 9, 9, 12, null, 13, 11, 12, 10, 13, 14, 17] }],
    },
  },
  incidents: {
    block: 'chart',
    id: 'incidents',
    title: 'Incidents',
    text: 'No incident was recorded.',
    chart: {
      chart: 'lines',
      labels: MONTHS,
      series: [{ label: 'Incidents', colour: 'bad', values: MONTHS.map(() => null) }],
    },
  },
  risks: {
    block: 'table',
    id: 'accepted-risks',
    title: 'Accepted risks that end within 90 days',
    columns: [
      { key: 'name', label: 'Vulnerability', align: 'left', share: 4 },
      { key: 'reason', label: 'Reason', align: 'left', share: 5 },
      { key: 'approver', label: 'Approver', align: 'left', share: 2 },
      { key: 'end', label: 'Ends', align: 'right', share: 2 },
    ],
    rows: Array.from({ length: 42 }, (_, n) => [
      link(`CVE-2026-${10_000 + n * 37} in ${['openssl', 'log4j-core', 'libwebp', 'curl'][n % 4]}`, `/risks/${n}`),
      n % 3 === 0
        ? 'The host is in an isolated network and goes out of service with the building in December; a fix needs a restart of the line.'
        : 'Compensated by the web application firewall.',
      ['Ana Petrović', 'Jörg Müller', 'Zoë Lefèvre'][n % 3] ?? null,
      n % 7 === 0 ? null : `2026-12-${String(1 + (n % 28)).padStart(2, '0')}`,
    ]),
    empty: 'No accepted risk ends within 90 days.',
    total: 42,
  },
  none: {
    block: 'table',
    id: 'blind-spots',
    title: 'Blind spots',
    columns: [{ key: 'name', label: 'Network', align: 'left', share: 1 }],
    rows: [],
    empty: 'Each network was scanned within 90 days.',
    total: 0,
  },
} as const satisfies Record<string, unknown>;

const section = (id: string, title: string, own: readonly Block[], more = {}) => ({
  id,
  title,
  appendix: false,
  startsPage: false,
  blocks: [...own],
  ...more,
});

/** A report with each block, as a board gets it. */
export function exampleReport(changes: Partial<ReportDocument> = {}): ReportDocument {
  const all: Record<keyof typeof blocks, Block> = structuredClone(blocks) as never;
  return {
    kind: 'executive',
    title: 'Exposure report',
    subtitle: 'Example Industries, October 2026',
    language: 'en',
    classification: 'CONFIDENTIAL',
    brand: {
      organization: 'Example Industries',
      logo: null,
      colour: '#0b5c6b',
      accent: '#0b5c6b',
      footer: 'Example Industries AG · Security',
    },
    asOf: '2026-11-01T06:00:00.000Z',
    sections: [
      section('summary', 'Summary', [all.verdict, all.tiles]),
      section('decisions', 'Decisions asked for', [all.decisions]),
      section('course', 'Course of twelve months', [all.months]),
      section('backlog', 'Age and time limits', [all.ages, all.sla]),
      section('applications', 'Applications', [all.applications]),
      section('threats', 'Known exploits and incidents', [all.course, all.incidents]),
      section('risks', 'Accepted risks', [all.risks, all.none], { appendix: true, startsPage: true }),
    ],
    provenance: [
      { label: 'Period', text: '1 October 2026 to 31 October 2026' },
      { label: 'Filter', text: 'severity >= high and not asset.tag:"lab"' },
      { label: 'SHA-256 of the facts', text: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
    ],
    ...changes,
  };
}

export async function pdfOf(report: ReportDocument): Promise<Buffer> {
  const out = new PassThrough();
  const [bytes] = await Promise.all([buffer(out), writePdf(report, out)]);
  return bytes;
}
