import checkov from '../../../test/fixtures/reports/checkov/report.json?url&no-inline';
import gitleaks from '../../../test/fixtures/reports/gitleaks/v8.json?url&no-inline';
import nmap from '../../../test/fixtures/reports/nmap/vulners.xml?url&no-inline';
import semgrep from '../../../test/fixtures/reports/semgrep/scan.json?url&no-inline';
import trivy from '../../../test/fixtures/reports/trivy/image.json?url&no-inline';
import zap from '../../../test/fixtures/reports/zap/report.json?url&no-inline';
import log4j from './example-log4j.json?url&no-inline';
import { importFiles } from './uploads.ts';

/** Reports of code name no repository. */
const REPOSITORY = 'example/shop';

const REPORTS: readonly { name: string; address: string; target?: string }[] = [
  { name: 'checkov', address: checkov, target: REPOSITORY },
  { name: 'gitleaks', address: gitleaks, target: REPOSITORY },
  { name: 'semgrep', address: semgrep, target: REPOSITORY },
  { name: 'nmap', address: nmap, target: '192.0.2.1' },
  { name: 'zap', address: zap, target: 'https://shop.example.test' },
  { name: 'trivy of the shop', address: trivy },
  { name: 'trivy of the search', address: log4j },
];

/** Imports small reports of six tools, as if the person had said what was scanned and dropped them. */
export async function loadExample(): Promise<void> {
  const contents = await Promise.all(REPORTS.map(async ({ address }) => (await fetch(address)).blob()));
  for (const [n, { name, target }] of REPORTS.entries()) importFiles([new File([contents[n] ?? ''], name)], target);
}
