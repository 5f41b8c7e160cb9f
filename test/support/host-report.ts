/** Entries of an Nmap report for two ports that people know, and the report of the host that has these ports open. */
const port = (number: number, service: string) =>
  `<port protocol="tcp" portid="${number}"><state state="open"/><service name="${service}" method="probed"/></port>`;
export const ssh = port(22, 'ssh');
export const telnet = port(23, 'telnet');

export const hostReport = (ports: string) => ({
  format: 'nmap',
  encoding: 'utf8' as const,
  content:
    '<?xml version="1.0"?><!DOCTYPE nmaprun><nmaprun scanner="nmap" version="7.94"><scaninfo protocol="tcp" services="1-1000"/>' +
    '<host><status state="up" reason="echo-reply"/><address addr="192.0.2.9" addrtype="ipv4"/>' +
    `<ports>${ports}</ports></host><runstats><finished exit="success"/></runstats></nmaprun>`,
});
