/** The body of a scan credential for the host at this address. */
export const sshCredential = (address: string, password: string) => ({
  name: 'Backup user',
  kind: 'ssh' as const,
  username: 'backup',
  secret: { password },
  targets: [{ type: 'host' as const, value: address }],
});
