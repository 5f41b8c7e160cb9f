import { describe, expect, test } from 'vitest';
import { readEvents } from '#shared/soc/siem/read-events.ts';
import { eventTexts } from '#shared/soc/sigma/event.ts';
import { inOneTurn } from '../../../support/all-turns.ts';

const batch = {
  sourceId: '019bc0ab-2400-7334-8000-0004e2031323',
  format: 'auto',
  receivedAt: '2026-01-02T00:00:00.000Z',
  oldest: '2000-01-01T00:00:00.000Z',
} as const;

function only(line: string | object) {
  const text = typeof line === 'string' ? line : JSON.stringify(line);
  const [event] = inOneTurn(readEvents(text, batch)).events;
  if (!event) throw new Error('no event');
  return event;
}

describe('messages of Linux name what an attacker cannot choose', () => {
  const users: [message: string, user: string | null][] = [
    ['sshd[1]: Failed password for invalid user x from 10.0.0.1 from 203.0.113.3 port 22 ssh2', 'x'],
    ['CRON[1]: pam_unix(cron:session): session opened for user root(uid=0) by (uid=0)', 'root'],
    ['sshd[1]: reverse mapping checking getaddrinfo for customer-1.example.net [1.2.3.4] failed', null],
    ['systemd-logind[1]: New session 1 of user bob.', 'bob'],
    ['sshd[1]: Connection closed by invalid user u0 203.0.113.9 port 22 [preauth]', 'u0'],
    ['passwd[1]: pam_unix(passwd:chauthtok): password changed for bob', 'bob'],
    ['sshd[1]: pam_unix(sshd:auth): check pass; user unknown', null],
  ];
  test.each(users)('%s: %s', (message, user) => {
    expect(only(`<86>Jan  1 10:00:00 web-01 ${message}`).user).toBe(user);
  });

  const senders: [message: string, address: string][] = [
    ['Failed password for invalid user x from 10.0.0.1 port 1 from 203.0.113.3 port 22 ssh2', '203.0.113.3'],
    ['Connection closed by invalid user 10.0.0.1 port 1 203.0.113.9 port 22 [preauth]', '203.0.113.9'],
    ['pam_unix(sshd:auth): authentication failure; rhost=2001:db8::7  user=from', '2001:db8::7'],
    ['login from 203.0.113.4', '203.0.113.4'],
  ];
  test.each(senders)('%s: %s', (message, address) => {
    const event = only(`<86>Jan  1 10:00:00 web-01 sshd-session[1]: ${message}`);
    expect(event).toMatchObject({ product: 'linux', service: 'sshd' });
    expect(eventTexts(event).texts('src_ip')).toEqual([address]);
  });

  test('a message that came several times has its text and their number', () => {
    const event = only('<86>Jan  1 10:00:00 web-01 sshd[1]: message repeated 25 times: [ Failed password for root]');
    expect(event).toMatchObject({ message: 'Failed password for root', fields: { repeated: 25 } });
  });
});

describe('JSON is read wherever it stands, with all its digits', () => {
  test.each([
    '<14>Jan  1 10:00:00 h1 {"user":"eve","msg":"text"}',
    '<14>Jan  1 10:00:00 h1 app: @cee: {"user":"eve","msg":"text"}',
    '\uFEFF{"host":"h1","user":"eve","msg":"text"}',
  ])('%s', (line) => {
    expect(only(line)).toMatchObject({ message: 'text', user: 'eve', host: 'h1' });
  });

  test('a number that a computer rounds is kept as its digits', () => {
    expect(only('{"flow_id":1839283748192837465,"small":12,"part":0.1234567890123456789}').fields).toEqual({
      flow_id: '1839283748192837465',
      small: 12,
      part: 0.12345678901234568,
    });
  });
});

test('a line in the log of a web server has the names that rules for web servers use', () => {
  const event = only(
    '203.0.113.9 - eve [01/Jan/2026:10:00:00 +0000] "GET /x?f=../etc/passwd HTTP/1.1" 200 12 "-" "a \\"b\\""',
  );
  expect(event).toMatchObject({ at: '2026-01-01T10:00:00.000Z', category: 'webserver', user: 'eve', action: 'GET' });
  expect(event.fields).toEqual({
    'c-ip': '203.0.113.9',
    'cs-username': 'eve',
    'cs-method': 'GET',
    'cs-uri': '/x?f=../etc/passwd',
    'cs-uri-stem': '/x',
    'cs-uri-query': 'f=../etc/passwd',
    'cs-version': 'HTTP/1.1',
    'sc-status': '200',
    'sc-bytes': '12',
    'cs-user-agent': 'a \\"b\\"',
  });
});

test('a command line of the longest length that Windows takes is whole', () => {
  const CommandLine = `cmd /c ${' '.repeat(32_000)}vssadmin delete shadows`;
  expect(only({ Channel: 'Security', EventID: 4688, CommandLine }).fields.CommandLine).toBe(CommandLine);
});

describe('syslog as devices and daemons write it', () => {
  const at = '2026-01-01T10:00:00.000Z';
  const cases: [line: string, wanted: object][] = [
    ['57 <34>1 2026-01-01T10:00:00Z h1 app - - - text', { host: 'h1', service: 'app', message: 'text', at }],
    ['<34>Jan 1 10:00:00 h1 app: text', { host: 'h1', service: 'app', message: 'text', at }],
    [
      '<189>29: *Jan  1 10:00:00.000 UTC: %SYS-5-CONFIG_I: by eve',
      { product: 'cisco', service: '%sys-5-config_i', at },
    ],
    ['<189>29: rtr-1: Jan  1 10:00:00: %SYS-5-CONFIG_I: by eve', { host: 'rtr-1', message: 'by eve', at }],
    [
      '<86>sshd[7]: Failed password for root',
      { service: 'sshd', message: 'Failed password for root', at: batch.receivedAt },
    ],
    ['<86>no tag: here', { service: null, message: 'no tag: here' }],
  ];
  test.each(cases)('%s', (line, wanted) => {
    expect(only(line)).toMatchObject(wanted);
  });
});

test('a line of the audit daemon has its fields, also those of the message inside', () => {
  const line =
    'node=web-01 type=USER_AUTH msg=audit(1767261600.000:24287): pid=7 uid=0 auid=1000 msg=\'op=PAM:authentication acct="eve" exe="/usr/bin/su" res=failed\'';
  expect(only(line)).toMatchObject({
    at: '2026-01-01T10:00:00.000Z',
    host: 'web-01',
    user: 'eve',
    product: 'linux',
    service: 'auditd',
    fields: { type: 'USER_AUTH', auid: '1000', exe: '/usr/bin/su', res: 'failed' },
  });
});

test.each([
  [{ eventSource: 'iam.amazonaws.com' }, 'aws', 'cloudtrail'],
  [{ apiVersion: 'audit.k8s.io/v1', kind: 'Event', verb: 'create' }, 'kubernetes', 'audit'],
  [{ protoPayload: { '@type': 'type.googleapis.com/google.cloud.audit.AuditLog' } }, 'gcp', 'gcp.audit'],
  [{ eventType: 'user.session.start', outcome: { result: 'FAILURE' }, actor: { alternateId: 'e@x' } }, 'okta', 'okta'],
  [{ Workload: 'Exchange', RecordType: 1, Operation: 'New-InboxRule' }, 'm365', 'exchange'],
  [{ operationName: 'Sign-in activity', category: 'SignInLogs' }, 'azure', 'signinlogs'],
  [{ action: 'repo.create', org: 'acme', actor: 'eve', '@timestamp': 1767261600000 }, 'github', 'audit'],
  [{ action: 'login', org: 'acme' }, null, null],
])('%j is of %s, %s', (line, product, service) => {
  expect(only(line)).toMatchObject({ product, service });
});
