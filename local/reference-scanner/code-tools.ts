/**
 * Tools that read the files of a repository. What a repository itself says of their settings must not make them write elsewhere or
 * send anything: where a tool would read a file of settings, it is told another one.
 */
export const codeTools = [
  {
    taskType: 'sast',
    name: 'semgrep',
    command: 'semgrep',
    arguments: ['scan', '--json', '--quiet', '--metrics', 'off', '--disable-version-check', '--config', '{rules}', '.'],
    format: 'semgrep',
    checkout: 'inside',
    parameters: { rules: { pattern: 'p/[a-z0-9-]{1,60}', default: 'p/default' } },
  },
  {
    taskType: 'sast',
    name: 'bandit',
    command: 'bandit',
    arguments: ['--recursive', '.', '--format', 'json', '--quiet', '--ini', '/dev/null'],
    format: 'bandit',
    checkout: 'inside',
    // 1: it found something
    exitCodes: [0, 1],
  },
  {
    taskType: 'secrets',
    name: 'gitleaks',
    command: 'gitleaks',
    arguments: [
      ...['detect', '--no-git', '--source', '.', '--report-format', 'json', '--report-path', '/dev/stdout'],
      ...['--redact', '--no-banner', '--exit-code', '0'],
    ],
    format: 'gitleaks',
    checkout: 'inside',
    emptyReport: '[]',
  },
  {
    taskType: 'dependencies',
    name: 'trivy',
    command: 'trivy',
    // it reads trivy.yaml of the directory in which it runs
    arguments: ['fs', '--format', 'json', '--quiet', '--scanners', 'vuln', '{checkout}'],
    format: 'trivy',
    checkout: 'outside',
  },
  {
    taskType: 'dependencies',
    name: 'osv-scanner',
    command: 'osv-scanner',
    arguments: ['scan', '--format', 'json', '--recursive', '.'],
    format: 'osv-scanner',
    checkout: 'inside',
    // 1: it found something; 128: there is no list of packages, and it writes nothing
    exitCodes: [0, 1, 128],
    emptyReport: '{"results":[]}',
  },
] as const;
