import { childOf, childrenOf, textIn, type XmlElement } from '../../readers/xml.ts';
import type { Severity } from '../../report/report.ts';
import type { Problem } from './problem.ts';

export function problemsOf(test: XmlElement): Problem[] {
  return [...protocols(test), ...heartbleed(test), ...handshake(test), ...ciphers(test), ...certificateProblems(test)];
}

const isOne = (element: XmlElement | undefined, attribute: string, value: string): boolean =>
  element?.attributes[attribute] === value;

const PROTOCOLS = new Map<string, Severity>([
  ['SSLv2', 'high'],
  ['SSLv3', 'high'],
  ['TLSv1.0', 'low'],
  ['TLSv1.1', 'low'],
]);

/** Versions before 2 of sslscan have no list of protocols: their ciphers name them. */
function protocols(test: XmlElement): Problem[] {
  const listed = childrenOf(test, 'protocol').filter((one) => isOne(one, 'enabled', '1'));
  const names = listed.map(({ attributes }) => `${attributes.type === 'ssl' ? 'SSLv' : 'TLSv'}${attributes.version}`);
  const used = accepted(test).map(({ attributes }) => attributes.sslversion ?? '');
  return [...new Set([...names, ...used])].flatMap((name) => {
    const severity = PROTOCOLS.get(name);
    const cwe = 'CWE-327';
    return severity
      ? [
          {
            rule: 'protocol',
            title: `${name} is offered`,
            severity,
            cwe,
            detail: name,
            remediation: `Disable ${name}.`,
          },
        ]
      : [];
  });
}

function heartbleed(test: XmlElement): Problem[] {
  const versions = childrenOf(test, 'heartbleed').filter((one) => isOne(one, 'vulnerable', '1'));
  if (versions.length === 0) return [];
  const seen = versions.map(({ attributes }) => attributes.sslversion).join(', ');
  const remediation = 'Update OpenSSL, then replace keys and certificates.';
  return [
    {
      rule: 'heartbleed',
      title: 'Heartbleed',
      severity: 'high',
      cve: 'CVE-2014-0160',
      cwe: 'CWE-125',
      seen,
      remediation,
    },
  ];
}

/** Elements of a test that are a problem with these attributes. */
const HANDSHAKE: { element: string; when: Record<string, string>; problem: Problem }[] = [
  {
    element: 'renegotiation',
    when: { supported: '1', secure: '0' },
    problem: {
      rule: 'renegotiation',
      title: 'Insecure renegotiation is supported',
      severity: 'medium',
      cve: 'CVE-2009-3555',
      remediation: 'Disable insecure renegotiation.',
    },
  },
  {
    element: 'compression',
    when: { supported: '1' },
    problem: {
      rule: 'compression',
      title: 'TLS compression is supported (CRIME)',
      severity: 'medium',
      cve: 'CVE-2012-4929',
      remediation: 'Disable TLS compression.',
    },
  },
  {
    element: 'fallback',
    when: { supported: '0' },
    problem: {
      rule: 'fallback',
      title: 'TLS_FALLBACK_SCSV is not supported',
      severity: 'low',
      cwe: 'CWE-757',
      remediation: 'Support TLS_FALLBACK_SCSV.',
    },
  },
];

const handshake = (test: XmlElement): Problem[] =>
  HANDSHAKE.flatMap(({ element, when, problem }) => {
    const found = childOf(test, element);
    return Object.entries(when).every(([name, value]) => isOne(found, name, value)) ? [problem] : [];
  });

const accepted = (test: XmlElement): XmlElement[] =>
  childrenOf(test, 'cipher').filter(
    ({ attributes }) => attributes.status === 'preferred' || attributes.status === 'accepted',
  );

/** Strengths below acceptable; all ciphers of a strength are one finding, because one setting repairs them. */
const STRENGTHS = new Map<string, Severity>([
  ['null', 'high'],
  ['anonymous', 'high'],
  ['weak', 'medium'],
  ['medium', 'low'],
]);

function ciphers(test: XmlElement): Problem[] {
  return [...STRENGTHS].flatMap(([strength, severity]) => {
    const found = accepted(test).filter(({ attributes }) => strengthOf(attributes) === strength);
    if (found.length === 0) return [];
    const seen = found
      .map(({ attributes }) => `${attributes.sslversion} ${attributes.cipher} ${attributes.bits} bits`)
      .join('\n');
    const title = `Ciphers of strength ${strength} are accepted`;
    return [
      {
        rule: 'cipher',
        title,
        severity,
        cwe: 'CWE-326',
        detail: strength,
        seen,
        remediation: `Disable the ciphers of strength ${strength}.`,
      },
    ];
  });
}

/** Versions before 1.11.12 name no strength. */
function strengthOf({ strength, cipher = '', bits = '' }: XmlElement['attributes']): string | undefined {
  if (strength) return strength;
  if (/NULL/.test(cipher)) return 'null';
  if (/ADH|AECDH/.test(cipher)) return 'anonymous';
  return /RC4|EXP|DES-CBC-/.test(cipher) || (bits !== '' && Number(bits) < 112) ? 'weak' : undefined;
}

type Fault = { is: boolean; kind: string; title: string; severity: Severity };

/** The problems of the certificates; version 2 of sslscan puts them into a list. */
function certificateProblems(test: XmlElement): Problem[] {
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
