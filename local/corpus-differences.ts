/** Why our count differs from the other importer's, by the file's path below `reports/`. */
export const differences: Record<string, string> = {
  'asff/one_vuln.json':
    'A vulnerability counts in each package that has it; the other importer makes one finding of the entry.',
  'bandit/many_vulns.json': 'Two entries are the same: rule, file, line and code.',
  'burp/seven_findings.xml':
    'Each page and parameter with an issue is a finding; the other importer merges by type (7 types, 16 places).',
  'generic/generic_report3.csv': 'Both entries say that they are mitigated: the other importer keeps them as closed.',
  'gitlab_dast/gitlab_dast_zero_vul.json':
    'Cut down to a comment and an empty list, which no tool can be told from: read when the format is named.',
  'gitleaks/no_findings.json':
    'The whole file is `null`, which no tool can be told from: read when the format is named, with no finding.',
  'govulncheck/issue_14642.json':
    'The report lists 201 records of the database; govulncheck finds 40 of them in the versions that are used.',
  'nmap/issue12411.xml': 'An open port counts on each host; the other importer merges a port over all hosts of a file.',
  'npm_audit/multiple_cwes.json':
    'Each installed version with an advisory is a finding; the other importer merges by advisory.',
  'npm_audit_7_plus/one_vuln.json':
    'Each advisory of a package is a finding; the other importer makes one of each package.',
  'nuclei/empty.jsonl':
    'An empty file is refused: it may be a tool that failed. The message says what to send instead.',
  'osv_scanner/many_findings.json':
    'The records that the scanner groups (of GitHub and of the Python database) are one finding; the other importer counts each record.',
  'osv_scanner/no_findings.json':
    'An empty file is refused: it may be a tool that failed. The message says what to send instead.',
  'semgrep/sca-deployments-vulns.json':
    'A vulnerability counts in each repository; the other importer merges by title, file and line. One closed in Semgrep is left out.',
  'snyk/snykcontainer_issue_epss.json':
    'The 12 issues of the application inside of the image count too; the other importer reads those of the image alone.',
  'snyk_code/single_project_many_vulns.json': 'Two entries are the same: rule, file, line and text.',
  'trufflehog/v2_many_vulns.json':
    'Each string is a secret of its own; the other importer merges the two strings of one commit.',
  'trufflehog3/zero_vulns.json':
    'The whole file is `[]`, which no tool can be told from: read when the format is named, with no finding.',
  'qualys/Qualys_Sample_Report.csv':
    'A QID counts on each host (3 QIDs, 4 hosts, 6 rows); the other importer merges a QID over all hosts.',
  'aws_prowler/issue4450.csv': 'A check that passed is no finding; the other importer keeps it as information.',
  'prowler/example_output_aws.csv':
    'Two of the four are MANUAL: checks that a person has to make are no findings until they fail.',
  'prowler/prowler_zero_vul.json':
    'The whole file is `[]`, which no tool can be told from: read when the format is named, with no finding.',
  'sslscan/sslscan_many_vuln.xml':
    'A cipher that the server does not accept is no finding, and a certificate that expired is one.',
  'sslscan/sslscan_one_vuln.xml':
    'Heartbleed and a certificate that expired are two findings; the other importer passes the certificate over.',
  'testssl/defectdojo_many_vuln.csv':
    'INFO tells what the server offers and is no finding; the 4 addresses of one name share their 4 problems.',
  'testssl/demo.csv': 'All 12 lines are INFO, which tells what the server offers and is no finding.',
  'testssl/references.csv': '4 lines are INFO, which tells what the server offers and is no finding.',
  'zap/dvwa_baseline_dojo.xml':
    'A rule of a site is a finding; the other importer keeps rule 10027 twice, once for each confidence with which it matched.',
};
