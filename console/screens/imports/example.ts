import checkov from '../../../test/fixtures/reports/checkov/report.json?url&no-inline';
import gitleaks from '../../../test/fixtures/reports/gitleaks/v8.json?url&no-inline';
import nmap from '../../../test/fixtures/reports/nmap/vulners.xml?url&no-inline';
import semgrep from '../../../test/fixtures/reports/semgrep/scan.json?url&no-inline';
import trivy from '../../../test/fixtures/reports/trivy/image.json?url&no-inline';
import zap from '../../../test/fixtures/reports/zap/report.json?url&no-inline';
import { importFiles } from './uploads.ts';

const REPORTS = { checkov, gitleaks, nmap, semgrep, trivy, zap };

/** Imports small reports of six tools, as if the person had dropped them. */
export async function loadExample(): Promise<void> {
  const files = await Promise.all(
    Object.entries(REPORTS).map(async ([tool, address]) => new File([await (await fetch(address)).blob()], tool)),
  );
  importFiles(files);
}
