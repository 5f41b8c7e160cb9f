import { expect } from 'vitest';
import type { Client } from './client.ts';

export const SHOP = { repository: 'https://git.example.com/shop/api', ref: 'main' };

/** Imports a report, of the shop unless it is told otherwise. @returns the task */
export async function imported(client: Client, content: string, more: object = SHOP): Promise<string> {
  const { taskId, task } = await client.ok('importFindings', {
    query: { waitSeconds: 20 },
    body: { format: 'auto', content, ...more } as never,
  });
  expect(task).toMatchObject({ status: 'succeeded' });
  return taskId;
}

/** The JSON of kube-bench with these results of the benchmark 1.8. */
export const kubeBench = (results: Readonly<Record<string, 'PASS' | 'FAIL' | 'WARN'>>): string =>
  JSON.stringify({
    Controls: [
      {
        id: '1',
        version: 'cis-1.8',
        detected_version: '1.29',
        text: 'Control plane',
        node_type: 'master',
        tests: [
          {
            section: '1.2',
            results: Object.entries(results).map(([number, status]) => ({
              test_number: number,
              test_desc: `check ${number}`,
              status,
              audit: '',
              remediation: '',
            })),
          },
        ],
        total_pass: 1,
        total_fail: 0,
        total_warn: 0,
        total_info: 0,
      },
    ],
  });

type Check = { check: string; status: 'PASS' | 'FAIL'; account?: string; resource?: string; muted?: boolean };

/** The JSON of Prowler 3 with these results. */
export const prowler = (checks: readonly Check[]): string =>
  JSON.stringify(
    checks.map(({ check, status, account = '111122223333', resource = 'one', muted = false }) => ({
      FindingUniqueId: `${check}-${resource}`,
      Provider: 'aws',
      CheckID: check,
      CheckTitle: check,
      Status: status,
      Muted: muted,
      StatusExtended: `${resource} is checked`,
      Severity: 'high',
      AccountId: account,
      Region: 'eu-west-1',
      ResourceId: resource,
      ResourceArn: `arn:aws:s3:::${resource}`,
    })),
  );

type HubControl = {
  requirement: string;
  status: 'PASSED' | 'FAILED';
  account?: string;
  reason?: string;
  isConsolidated?: boolean;
};

const HUB = 'arn:aws:securityhub:eu-west-1::product/aws/securityhub';

/** Findings of Security Hub's controls for requirements of the CIS benchmark 3.0.0. */
export const securityHub = (controls: readonly HubControl[]): string =>
  JSON.stringify({
    Findings: controls.map(({ requirement, status, account = '111122223333', reason, isConsolidated = true }, n) => ({
      SchemaVersion: '2018-10-08',
      Id: `control-${n}`,
      ProductArn: HUB,
      AwsAccountId: account,
      Region: 'eu-west-1',
      Title: `A control for ${requirement}`,
      Description: 'It is checked.',
      Severity: { Label: 'HIGH' },
      RecordState: 'ACTIVE',
      Workflow: { Status: status === 'PASSED' ? 'RESOLVED' : 'NEW' },
      GeneratorId: isConsolidated
        ? `security-control/IAM.${n}`
        : `cis-aws-foundations-benchmark/v/3.0.0/${requirement}`,
      Compliance: {
        Status: status,
        ...(isConsolidated && {
          RelatedRequirements: ['PCI DSS v3.2.1/8.3.1', `CIS AWS Foundations Benchmark v3.0.0/${requirement}`],
        }),
        ...(reason !== undefined && { StatusReasons: [{ ReasonCode: reason, Description: 'why' }] }),
      },
      Resources: [{ Type: 'AwsAccount', Id: `AWS::::Account:${account}` }],
    })),
  });

/** Checkov's report of code of infrastructure in which these checks failed and passed. */
export const checkov = ({ failed = [], passed = [] }: { failed?: readonly string[]; passed?: readonly string[] }) => {
  const check = (check_id: string) => ({
    check_id,
    check_name: check_id,
    resource: 'aws_instance.one',
    file_path: '/main.tf',
    file_line_range: [1, 3],
    code_block: [[1, `resource "aws_instance" "${check_id}" {}\n`]],
  });
  const results = { passed_checks: passed.map(check), failed_checks: failed.map(check), skipped_checks: [] };
  return JSON.stringify({ check_type: 'terraform', results, summary: { checkov_version: '3.3.30' } });
};

/** Kubescape's report of one workload with these results. */
export const kubescape = (controls: Readonly<Record<string, 'passed' | 'failed'>>): string =>
  JSON.stringify({
    clusterAPIServerInfo: { major: '1' },
    customerGUID: '',
    clusterName: 'one',
    summaryDetails: { controls: {} },
    results: [
      {
        resourceID: 'apps/v1/web/Deployment/shop',
        controls: Object.entries(controls).map(([controlID, status]) => ({
          controlID,
          name: controlID,
          status: { status },
        })),
      },
    ],
  });

/** The status of controls by their ids. */
export async function statusesOf(client: Client, ids: readonly string[], query: object = {}): Promise<string[]> {
  const answers = ids.map((controlId) => client.ok('getControl', { params: { controlId }, query }));
  return (await Promise.all(answers)).map(({ status }) => status);
}
