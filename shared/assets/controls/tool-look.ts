import type { Look } from './weakness.ts';

/**
 * The tools whose completed scans count as a look at their target, by the names in their reports. A tool in no row
 * proves nothing for a control: its findings fail controls, but no finding of it does not pass one. Trivy looks for
 * more than dependencies only with options that no report names. `snyk` is the name of Snyk's products in stored looks
 * of earlier releases.
 */
const TOOLS: Record<Look, readonly string[]> = {
  code: [
    'bandit',
    'brakeman',
    'bearer',
    'codeql',
    'eslint',
    'flawfinder',
    'gosec',
    'horusec',
    'njsscan',
    'phpcs security audit',
    'psalm',
    'pmd',
    'semgrep',
    'semgrep oss',
    'semgrep pro',
    'snykcode',
    'sonarqube',
    'spotbugs',
  ],
  secrets: ['detect-secrets', 'ggshield', 'gitleaks', 'trufflehog', 'trufflehog3'],
  dependencies: [
    'dependency-check',
    'govulncheck',
    'grype',
    'npm audit',
    'osv-scanner',
    'pip-audit',
    'snyk',
    'snyk container',
    'snyk open source',
    'trivy',
    'yarn audit',
  ],
  web: ['arachni', 'burp suite', 'nikto', 'nuclei', 'wapiti', 'zap'],
  host: ['nessus', 'openvas', 'qualys'],
  ports: ['nmap'],
  tls: ['sslscan', 'testssl.sh'],
  cloud: ['prowler', 'aws security hub', 'security hub', 'security hub cspm'],
  cluster: ['kube-bench', 'kubescape'],
  infrastructure_code: ['checkov'],
};

/** Undefined: a scan of the tool proves nothing to a control. */
export const lookOf = (tool: string): Look | undefined => LOOKS.get(tool.toLowerCase());

const LOOKS = new Map(Object.entries(TOOLS).flatMap(([look, names]) => names.map((name) => [name, look as Look])));
