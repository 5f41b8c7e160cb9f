import { acceptReport } from '#shared/ingest/accept.ts';
import { log } from '#shared/platform/runtime/log.ts';
import type { Context } from '#shared/platform/table/context.ts';

const URL = 'https://shop.sample.example';
const REPOSITORY = { type: 'repository', value: 'sample/shop' };

/** Findings as tools report them, on names that nobody has (RFC 2606). */
const SAMPLE = {
  tool: 'sample',
  findings: [
    {
      title: 'Remote code execution in log4j-core',
      severity: 'critical',
      cves: ['CVE-2021-44228'],
      cwes: ['CWE-502'],
      asset: REPOSITORY,
      component: {
        name: 'log4j-core',
        version: '2.14.1',
        purl: 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1',
      },
      remediation: 'Update log4j-core to 2.17.1.',
    },
    {
      title: 'SQL injection in the search',
      severity: 'high',
      ruleId: 'sql-injection',
      cwes: ['CWE-89'],
      location: { url: `${URL}/search` },
      remediation: 'Use parameters in the statement.',
    },
    {
      title: 'Private key in the repository',
      severity: 'high',
      ruleId: 'private-key',
      cwes: ['CWE-798'],
      asset: REPOSITORY,
      location: { path: 'deploy/id_rsa', line: 1 },
      remediation: 'Replace the key, and take it out of the repository.',
    },
    {
      title: 'TLS 1.0 is offered',
      severity: 'medium',
      ruleId: 'tls-version',
      cwes: ['CWE-326'],
      location: { host: 'shop.sample.example', port: 443, protocol: 'tcp' },
      remediation: 'Offer TLS 1.2 and 1.3 only.',
    },
    {
      title: 'The cookie of the session lacks Secure',
      severity: 'low',
      ruleId: 'cookie-secure',
      cwes: ['CWE-614'],
      location: { url: `${URL}/login` },
      remediation: 'Set the attribute Secure.',
    },
  ],
};

/** Queues the import of the sample. @returns its task; null where it cannot be queued, which keeps nobody out */
export async function importSample(context: Context): Promise<string | null> {
  const report = { content: JSON.stringify(SAMPLE) };
  try {
    const { taskId } = await acceptReport(context, { source: 'import', format: 'generic', report });
    return taskId;
  } catch (error) {
    log.error('sample data not queued', { reason: String(error) });
    return null;
  }
}
