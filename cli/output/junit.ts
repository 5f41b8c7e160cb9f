import { create } from 'xmlbuilder';
import { fileOf, pageOf, placeOf, type Reported, type Verdict } from './reported.ts';

/** Characters that no XML may have, also not as references. */
const REPLACEMENT = '\uFFFD';

/**
 * Findings as JUnit XML: each is a test that failed. The verdict of a gate is a test of its own, so that a gate without
 * findings is a passed test, and findings beyond those that the verdict lists fail it too.
 */
export function junitOf(
  findings: readonly Reported[],
  { verdict, baseUrl }: { verdict?: Verdict | undefined; baseUrl: string },
): string {
  const failures = findings.length + (verdict && !verdict.passed ? 1 : 0);
  const tests = findings.length + (verdict ? 1 : 0);
  const options = { encoding: 'UTF-8', invalidCharReplacement: REPLACEMENT };
  const root = create('testsuites', options).att({ name: 'exposure', tests, failures, errors: 0 });
  const suite = root.ele('testsuite', {
    name: verdict ? 'exposure gate' : 'exposure findings',
    tests,
    failures,
    errors: 0,
  });
  if (verdict) {
    const gate = suite.ele('testcase', { classname: 'exposure', name: 'gate' });
    const reasons = verdict.reasons.join('; ');
    if (!verdict.passed) gate.ele('failure', { type: 'gate', message: reasons }, reasons);
  }
  for (const finding of findings) {
    const { severity, title, ruleId, id } = finding;
    const file = fileOf(finding);
    const place = { ...(file && { file: file.path }), ...(file?.line && { line: file.line }) };
    const test = suite.ele('testcase', { classname: ruleId, name: `${title} (${placeOf(finding)})`, ...place });
    const text = `${severity}: ${title}\n${placeOf(finding)}\n${pageOf(baseUrl, id)}`;
    test.ele('failure', { type: severity, message: `${severity}: ${title}` }, text);
  }
  return `${root.end({ pretty: true })}\n`;
}
