import type { Client } from './client.ts';

/** The JSON of kube-bench with these results of the benchmark 1.8. */
export const kubeBench = (results: Readonly<Record<string, 'PASS' | 'FAIL' | 'WARN'>>): string =>
  JSON.stringify({
    Controls: [
      {
        ...{ id: '1', version: 'cis-1.8', detected_version: '1.29', text: 'Control plane', node_type: 'master' },
        tests: [
          {
            section: '1.2',
            results: Object.entries(results).map(([number, status]) => ({
              ...{ test_number: number, test_desc: `check ${number}`, status, audit: '', remediation: '' },
            })),
          },
        ],
        ...{ total_pass: 1, total_fail: 0, total_warn: 0, total_info: 0 },
      },
    ],
  });

type Check = { check: string; status: 'PASS' | 'FAIL'; account?: string; resource?: string };

/** The JSON of Prowler 3 with these results. */
export const prowler = (checks: readonly Check[]): string =>
  JSON.stringify(
    checks.map(({ check, status, account = '111122223333', resource = 'one' }) => ({
      ...{ FindingUniqueId: `${check}-${resource}`, Provider: 'aws', CheckID: check, CheckTitle: check },
      ...{ Status: status, StatusExtended: `${resource} is checked`, Severity: 'high', AccountId: account },
      ...{ Region: 'eu-west-1', ResourceId: resource, ResourceArn: `arn:aws:s3:::${resource}` },
    })),
  );

/** The status of controls by their ids. */
export async function statusesOf(client: Client, ids: readonly string[], query: object = {}): Promise<string[]> {
  const answers = ids.map((controlId) => client.ok('getControl', { params: { controlId }, query }));
  return (await Promise.all(answers)).map(({ status }) => status);
}
