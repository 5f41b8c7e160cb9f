/** Rules for Linux: sshd, sudo and the tools of accounts, as syslog brings them. */
export const LINUX_RULES = {
  'linux-ssh-brute-force': `title: Many failed SSH logins from one address
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00101
name: ssh_login_failed
description: One address failed to log in by SSH twenty times within five minutes. Look whether one of its logins succeeded.
logsource:
  product: linux
  service: sshd
detection:
  selection:
    message|contains:
      - 'Failed password for'
      - 'maximum authentication attempts exceeded'
  condition: selection
---
title: Many failed SSH logins from one address
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00102
description: One address failed to log in by SSH twenty times within five minutes. Look whether one of its logins succeeded.
correlation:
  type: event_count
  rules: [ssh_login_failed]
  group-by: [src_ip]
  timespan: 5m
  condition:
    gte: 20
level: medium
tags: [attack.credential-access, attack.t1110.001]
`,
  'linux-ssh-password-spraying': `title: One address tries SSH logins of many users
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00103
name: ssh_user_tried
logsource:
  product: linux
  service: sshd
detection:
  selection:
    message|startswith:
      - 'Failed password for'
      - 'Invalid user'
  condition: selection
---
title: One address tries SSH logins of many users
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00104
description: One address tried ten different names within ten minutes, as somebody does who tries few passwords on many accounts.
correlation:
  type: value_count
  rules: [ssh_user_tried]
  group-by: [src_ip]
  timespan: 10m
  condition:
    field: user
    gte: 10
level: medium
tags: [attack.credential-access, attack.t1110.003]
`,
  'linux-ssh-root-login': `title: Login as root by SSH with a password
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00105
description: Root logged in with a password. Logins of root should be off, and administrators use sudo.
logsource:
  product: linux
  service: sshd
detection:
  selection:
    message|startswith: 'Accepted password for root from '
  condition: selection
level: high
tags: [attack.initial-access, attack.t1078.003]
`,
  'linux-sudo-not-allowed': `title: Sudo by a user who may not
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00106
description: A user without the right tried to run a command as another user.
logsource:
  product: linux
  service: sudo
detection:
  selection:
    message|contains:
      - 'user NOT in sudoers'
      - 'command not allowed'
  condition: selection
level: medium
tags: [attack.privilege-escalation, attack.t1548.003]
`,
  'linux-sudo-root-shell': `title: A root shell by sudo
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00107
description: Sudo opened a shell as root, in which the following commands leave no trace in the log of sudo.
logsource:
  product: linux
  service: sudo
detection:
  selection:
    message|contains|all:
      - 'USER=root'
      - 'COMMAND='
  shell:
    message|re: 'COMMAND=(/usr)?/bin/(ba|z|da|k)?sh( -i?)?$'
  su:
    message|re: 'COMMAND=(/usr)?/bin/su( -)?( root)?$'
  condition: selection and (shell or su)
level: low
tags: [attack.privilege-escalation, attack.t1548.003]
`,
  'linux-account-created': `title: A user was created or put into a group of administrators
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00108
description: A new user with the rights of root, or a user who was added to a group that may become root.
logsource:
  product: linux
detection:
  tools:
    appname:
      - useradd
      - usermod
  root:
    message|re: 'new user: .*UID=0,'
  group:
    message|re: "to (shadow )?group '?(sudo|wheel|root|docker|lxd)'?"
  condition: tools and (root or group)
level: high
tags: [attack.persistence, attack.t1136.001, attack.t1098]
`,
} as const;
