import { control, type Framework } from '../framework.ts';

export const owaspTop10: Framework = {
  id: 'owasp-top-10-2021',
  name: 'OWASP Top 10',
  version: '2021',
  publisher: 'OWASP Foundation',
  source: 'https://owasp.org/Top10/2021/',
  comparedWith: 'The list of categories there, which is the page of the publisher.',
  scope: 'All ten categories, by the CWEs that OWASP maps to each.',
  controls: [
    control('A01', 'Permissions are checked', 'access', 'disclosure', 'traversal', 'csrf', 'redirect'),
    control('A02', 'Cryptography is strong and used', 'crypto', 'transport'),
    control('A03', 'Input is never taken for commands', 'injection', 'xss'),
    control('A04', 'The design is safe', 'design', 'upload', 'errors'),
    control('A05', 'Settings are safe', 'web_hardening', 'xxe'),
    control('A06', 'Components have no known vulnerabilities', 'components'),
    control('A07', 'Users are who they say', 'authentication', 'session', 'secrets', 'certificates'),
    control('A08', 'The origin of code and data is proven', 'integrity'),
    control('A09', 'Attacks are logged and noticed', 'logging'),
    control('A10', 'Nobody sends requests by the server', 'ssrf'),
  ],
};
