/** Rules for the event log of Windows: the channels Security, System and PowerShell, and Sysmon. */
export const WINDOWS_RULES = {
  'windows-log-cleared': `title: The event log was cleared
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00201
description: Somebody cleared a log of Windows, which is seldom needed and hides what was done before.
logsource:
  product: windows
detection:
  security:
    Channel: Security
    EventID: 1102
  system:
    Channel: System
    EventID: 104
  condition: security or system
level: high
tags: [attack.defense-evasion, attack.t1070.001]
`,
  'windows-encoded-powershell': String.raw`title: PowerShell with an encoded command
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00202
description: PowerShell was started with a command in Base64, as malicious documents and remote tools do.
logsource:
  category: process_creation
  product: windows
detection:
  image:
    - Image|endswith: ['\powershell.exe', '\pwsh.exe']
    - NewProcessName|endswith: ['\powershell.exe', '\pwsh.exe']
  option:
    CommandLine|re|i: '\s[-/–—―]e(nc?|nco[a-z]*|c)?\s+[''"]?[A-Za-z0-9+/]{20,}'
  condition: image and option
level: high
tags: [attack.execution, attack.t1059.001, attack.t1027.010]
`,
  'windows-download-cradle': `title: PowerShell loads and runs a script from the internet
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00203
description: A command of PowerShell downloads text and runs it without a file.
logsource:
  category: process_creation
  product: windows
detection:
  load:
    CommandLine|contains:
      - DownloadString
      - DownloadData
      - Invoke-WebRequest
      - 'iwr '
  run:
    CommandLine|contains:
      - IEX
      - Invoke-Expression
  encoded:
    CommandLine|wide|base64offset|contains: DownloadString
  condition: load and run or encoded
level: high
tags: [attack.execution, attack.t1059.001, attack.t1105]
`,
  'windows-office-starts-shell': String.raw`title: An Office program starts a command line
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00204
description: Word, Excel, PowerPoint or Outlook started a shell or a script host, as macros of malicious documents do.
logsource:
  category: process_creation
  product: windows
detection:
  parent:
    ParentImage|endswith:
      - '\winword.exe'
      - '\excel.exe'
      - '\powerpnt.exe'
      - '\outlook.exe'
  child:
    Image|endswith:
      - '\cmd.exe'
      - '\powershell.exe'
      - '\pwsh.exe'
      - '\wscript.exe'
      - '\cscript.exe'
      - '\mshta.exe'
  condition: parent and child
level: high
tags: [attack.initial-access, attack.t1566.001, attack.t1204.002]
`,
  'windows-shadow-copies-deleted': `title: Shadow copies are deleted
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00205
description: A command deletes the copies from which files could be restored, as ransomware does before it encrypts.
logsource:
  category: process_creation
  product: windows
detection:
  vssadmin:
    CommandLine|contains|all:
      - vssadmin
      - delete
      - shadows
  wmic:
    CommandLine|contains|all:
      - wmic
      - shadowcopy
      - delete
  wbadmin:
    CommandLine|contains|all:
      - wbadmin
      - delete
      - catalog
  condition: 1 of them
level: critical
tags: [attack.impact, attack.t1490]
`,
  'windows-lsass-access': String.raw`title: A program reads the memory of LSASS
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00206
description: A program that is none of the system's opened LSASS with the right to read its memory, in which credentials lie.
logsource:
  category: process_access
  product: windows
detection:
  selection:
    TargetImage|endswith: '\lsass.exe'
    GrantedAccess: ['0x1010', '0x1410', '0x1438', '0x143a', '0x1fffff']
  filter_system:
    SourceImage|startswith:
      - 'C:\Windows\System32\'
      - 'C:\Program Files\'
      - 'C:\ProgramData\Microsoft\Windows Defender\'
  condition: selection and not 1 of filter_*
level: high
tags: [attack.credential-access, attack.t1003.001]
`,
  'windows-password-spraying': `title: Failed logins of many users from one address
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00207
name: windows_login_failed
logsource:
  product: windows
  service: security
detection:
  selection:
    EventID: 4625
  filter_local:
    IpAddress: ['-', '127.0.0.1', '::1']
  condition: selection and not filter_local
---
title: Failed logins of many users from one address
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00208
description: Ten different accounts failed to log in from one address within ten minutes.
correlation:
  type: value_count
  rules: [windows_login_failed]
  group-by: [IpAddress]
  timespan: 10m
  condition:
    field: TargetUserName
    gte: 10
level: high
tags: [attack.credential-access, attack.t1110.003]
`,
  'windows-admin-group-changed': `title: A member was added to a group of administrators
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00209
description: A user or group was added to Administrators, Domain Admins, Enterprise Admins or Schema Admins.
logsource:
  product: windows
  service: security
detection:
  event:
    EventID: [4728, 4732, 4756]
  group:
    - TargetSid|startswith: 'S-1-5-21-'
      TargetSid|endswith: ['-512', '-518', '-519']
    - TargetSid: S-1-5-32-544
  condition: event and group
level: medium
tags: [attack.persistence, attack.t1098.007]
`,
  'windows-service-from-user-folder': String.raw`title: A service runs a program of a user's folder
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c0020a
description: A new service starts a program from a place that users can write, or a command line.
logsource:
  product: windows
  service: system
detection:
  selection:
    EventID: 7045
    ImagePath|contains:
      - '\Users\'
      - '\Temp\'
      - '\ProgramData\'
      - 'cmd.exe /c'
      - 'powershell'
  condition: selection
level: high
tags: [attack.persistence, attack.t1543.003]
`,
  'windows-defender-off': `title: Microsoft Defender is turned off
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c0020b
description: A command turns off the protection in real time, or excludes a folder from it.
logsource:
  category: process_creation
  product: windows
detection:
  selection:
    CommandLine|contains:
      - DisableRealtimeMonitoring
      - DisableIOAVProtection
      - 'Add-MpPreference -Exclusion'
  off:
    CommandLine|contains: [' $false', ' 0']
  condition: selection and not off
level: high
tags: [attack.defense-evasion, attack.t1562.001]
`,
} as const;
