import type { CREDENTIAL_KINDS } from '../report/report.ts';

type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY/;
const CONNECTION = /^[a-z][a-z0-9+.-]{1,30}:\/\/[^\s/@:]{0,300}:[^\s/@]{1,300}@/i;

/** Words of rules, those that say more before those that say less: `github-app-token` is a token, `aws-access-key` a key. */
const WORDS: readonly [CredentialKind, RegExp][] = [
  ['private_key', /private.?key|\b(?:rsa|ssh|pgp|ec|dsa)\b.{0,20}key|pkcs/],
  ['connection_string', /connection.?string|jdbc|mongo|postgres|mysql|redis|amqp|\buri\b|database.?url/],
  ['password', /passw(?:or)?d|\bpwd\b|passphrase|basic.?auth|\blogin/],
  ['token', /token|\bjwt\b|\bpat\b|bearer|oauth|cookie|session|webhook/],
  ['api_key', /key|secret|credential|\baws\b|\bgcp\b|azure/],
];

/** The kind of a secret: by its text where that shows it, otherwise by the rule that found it. */
export function credentialKind(ruleId: string, text = ''): CredentialKind {
  if (PRIVATE_KEY.test(text)) return 'private_key';
  if (CONNECTION.test(text)) return 'connection_string';
  const rule = ruleId.toLowerCase();
  return WORDS.find(([, words]) => words.test(rule))?.[0] ?? 'other';
}
