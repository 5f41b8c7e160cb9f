import type { Severity } from '../../report/report.ts';

/** A problem of a server's TLS. sslscan rates nothing, so the severity is ours. */
export type Problem = {
  rule: string;
  title: string;
  severity: Severity;
  cve?: string;
  cwe?: string;
  /** Distinguishes it from another problem of the same rule. */
  detail?: string;
  seen?: string;
  remediation: string;
};
