import type { Define } from './command.ts';

type Row = { name: string; summary: string; hidden?: true; load: () => Promise<{ define: Define }> };

/** All commands. Only the one that is called is loaded. */
export const commands: readonly Row[] = [
  { name: 'import', summary: 'import reports of scanners', load: () => import('./commands/import.ts') },
  { name: 'gate', summary: 'judge all reports of a build', load: () => import('./commands/gate.ts') },
  { name: 'branch', summary: 'end a branch', load: () => import('./commands/branch.ts') },
  { name: 'findings', summary: 'list, count and show findings', load: () => import('./commands/findings.ts') },
  {
    name: 'vulnerabilities',
    summary: 'list, count and show vulnerabilities',
    load: () => import('./commands/vulnerabilities.ts'),
  },
  { name: 'assets', summary: 'list, count and show assets', load: () => import('./commands/assets.ts') },
  { name: 'alerts', summary: 'list, count and show alerts', load: () => import('./commands/alerts.ts') },
  { name: 'tasks', summary: 'list and show tasks', load: () => import('./commands/tasks.ts') },
  {
    name: 'triage',
    summary: 'change many findings, after an exact preview',
    load: () => import('./commands/triage.ts'),
  },
  { name: 'export', summary: 'export records into a file', load: () => import('./commands/export.ts') },
  { name: 'report', summary: 'make, list and fetch reports', load: () => import('./commands/report.ts') },
  { name: 'scan', summary: 'start scans', load: () => import('./commands/scan.ts') },
  { name: 'task', summary: 'wait for a task', load: () => import('./commands/task.ts') },
  { name: 'login', summary: 'sign in with a browser, or with an API key', load: () => import('./commands/login.ts') },
  { name: 'logout', summary: 'sign out and remove the profile', load: () => import('./commands/logout.ts') },
  { name: 'whoami', summary: 'show who you are to the service', load: () => import('./commands/whoami.ts') },
  {
    name: 'ci-token',
    summary: 'print a token for the branch of a CI job',
    load: () => import('./commands/ci-token.ts'),
  },
  { name: 'detections', summary: 'check, try and push Sigma rules', load: () => import('./commands/detections.ts') },
  {
    name: 'logs',
    summary: 'search, follow and export the events of logs, and hunt in them',
    load: () => import('./commands/logs.ts'),
  },
  { name: 'link-token', summary: 'link machines to the service', load: () => import('./commands/link-token.ts') },
  { name: 'events', summary: 'follow the changes of the organization', load: () => import('./commands/events.ts') },
  {
    name: 'webhooks',
    summary: 'have events sent to addresses, or to a program on this machine',
    load: () => import('./commands/webhooks.ts'),
  },
  {
    name: 'deliveries',
    summary: 'list what was sent to other systems, and send it again',
    load: () => import('./commands/deliveries.ts'),
  },
  {
    name: 'notifications',
    summary: 'list and read your notifications, and choose what notifies you',
    load: () => import('./commands/notifications.ts'),
  },
  { name: 'api', summary: 'call any operation of the service', load: () => import('./commands/api.ts') },
  { name: 'mcp', summary: 'serve the Model Context Protocol to a model', load: () => import('./commands/mcp.ts') },
  { name: 'completion', summary: 'print the completion of a shell', load: () => import('./commands/completion.ts') },
  { name: 'complete', summary: 'complete a line', hidden: true, load: () => import('./commands/complete.ts') },
];
