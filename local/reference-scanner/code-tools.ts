import { fileURLToPath } from 'node:url';

/** A file of settings that takes the place of the repository's own. */
const settings = (name: string): string => fileURLToPath(new URL(`settings/${name}`, import.meta.url));

/** Files of a repository by which a tool leaves files or findings out, and which no argument of the tool turns off. */
export const IGNORE_FILES: ReadonlySet<string> = new Set(['.gitleaksignore', '.semgrepignore']);

/**
 * Tools that read the files of a repository. The repository must not choose their findings, and must not make them run,
 * write or send anything: a tool that would read a settings file gets another one, and comments in the code suppress
 * nothing.
 */
export const codeTools = [
  {
    taskType: 'sast',
    name: 'semgrep',
    command: 'semgrep',
    arguments: [
      ...['scan', '--json', '--quiet', '--metrics', 'off', '--disable-version-check'],
      ...['--disable-nosem', '--no-git-ignore', '--config', '{rules}', '.'],
    ],
    format: 'semgrep',
    checkout: 'inside',
    parameters: { rules: { pattern: 'p/[a-z0-9-]{1,60}', default: 'p/default' } },
  },
  {
    taskType: 'sast',
    name: 'bandit',
    command: 'bandit',
    arguments: ['--recursive', '.', '--format', 'json', '--quiet', '--ignore-nosec', '--ini', '/dev/null'],
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
      ...['--config', settings('gitleaks.toml'), '--ignore-gitleaks-allow'],
    ],
    format: 'gitleaks',
    checkout: 'inside',
    emptyReport: '[]',
  },
  {
    taskType: 'dependencies',
    name: 'trivy',
    command: 'trivy',
    // it reads trivy.yaml and .trivyignore of the directory in which it runs
    arguments: ['fs', '--format', 'json', '--quiet', '--scanners', 'vuln', '--offline-scan', '{checkout}'],
    // it fetches its database with the logins that it finds there
    environment: { DOCKER_CONFIG: '/nonexistent' },
    format: 'trivy',
    checkout: 'outside',
  },
  {
    taskType: 'dependencies',
    name: 'osv-scanner',
    command: 'osv-scanner',
    // the analysis of calls builds the code
    arguments: [
      ...['scan', '--format', 'json', '--config', settings('osv-scanner.toml'), '--no-ignore'],
      ...['--no-call-analysis=all', '--recursive', '.'],
    ],
    format: 'osv-scanner',
    checkout: 'inside',
    // 1: it found something; 128: there is no list of packages, and it writes nothing
    exitCodes: [0, 1, 128],
    emptyReport: '{"results":[]}',
  },
] as const;
