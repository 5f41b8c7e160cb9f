import { childOf, childrenOf, textIn, type XmlElement } from '../../readers/xml.ts';
import type { Severity } from '../../report/report.ts';
import type { Problem } from './problem.ts';

type Fault = { is: boolean; kind: string; title: string; severity: Severity };

/** The problems of the certificates; version 2 of sslscan puts them into a list. */
export function certificateProblems(test: XmlElement): Problem[] {
  const listed = [...childrenOf(test, 'certificate'), ...childrenOf(childOf(test, 'certificates'), 'certificate')];
  return listed.flatMap((certificate) => {
    const seen = textIn(certificate, 'subject');
    const rest = { cwe: 'CWE-295', seen, remediation: 'Replace the certificate.' };
    const faults = faultsOf(certificate).filter(({ is }) => is);
    return faults.map(({ kind, title, severity }) => ({ rule: `certificate-${kind}`, title, severity, ...rest }));
  });
}

function faultsOf(certificate: XmlElement): Fault[] {
  const [ends, algorithm = ''] = [textIn(certificate, 'not-valid-after'), textIn(certificate, 'signature-algorithm')];
  const { type, bits } = childOf(certificate, 'pk')?.attributes ?? {};
  const isTrue = (name: string) => textIn(certificate, name) === 'true';
  const expired = ends ? `Certificate expired on ${ends}` : 'Certificate expired';
  return [
    { is: isTrue('expired'), kind: 'expired', title: expired, severity: 'medium' },
    { is: isTrue('self-signed'), kind: 'self-signed', title: 'Certificate is self-signed', severity: 'low' },
    {
      is: /^(?:md[245]|sha1)/i.test(algorithm),
      kind: 'signature',
      title: `Certificate is signed with ${algorithm}`,
      severity: 'medium',
    },
    {
      is: type === 'RSA' && Number(bits) > 0 && Number(bits) < 2048,
      kind: 'key',
      title: `Certificate has a key of ${bits} bits`,
      severity: 'medium',
    },
  ];
}
