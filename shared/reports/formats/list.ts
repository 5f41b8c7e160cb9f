// Every report format that is read, one a line. All else that knows the formats is derived from this list.
export { apex } from './apex/format.ts';
export { burp } from './burp/format.ts';
export { generic } from './generic/format.ts';
export { gitleaks } from './gitleaks/format.ts';
export { nessus } from './nessus/format.ts';
export { nmap } from './nmap/format.ts';
export { nuclei } from './nuclei/format.ts';
export { sarif } from './sarif/format.ts';
export { semgrep } from './semgrep/format.ts';
export { trivy } from './trivy/format.ts';
export { trufflehog } from './trufflehog/format.ts';
export { trufflehog3 } from './trufflehog3/format.ts';
export { zap } from './zap/format.ts';
