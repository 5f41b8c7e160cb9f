import { expect, test } from 'vitest';
import { agents } from '#shared/scanning/agents/agent.ts';
import { report } from '../support/agents.ts';
import type { Client } from '../support/client.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();

const imported = (admin: Client, format: 'nmap' | 'nessus' | 'openvas', content: string) =>
  admin.ok('importFindings', { query: { waitSeconds: 20 }, body: { format, content } });

const known = async (admin: Client) =>
  Object.fromEntries((await admin.ok('listAssets')).data.map(({ value, identifiers }) => [value, identifiers]));

const NOTHING = { ips: [], macs: [], hostnames: [], fqdns: [], machineIds: [] };

const nmapOf = (hosts: string) =>
  `<nmaprun scanner="nmap" args="nmap -oX -" version="7.94"><scaninfo type="syn" protocol="tcp" numservices="1000" services="1-1000"/>${hosts}<runstats><finished time="1" exit="success"/></runstats></nmaprun>`;
const hostOf = (address: string, more: string, ports: string) =>
  `<host><status state="up" reason="arp-response"/><address addr="${address}" addrtype="ipv4"/>${more}<ports>${ports}</ports></host>`;
const OPEN = '<port protocol="tcp" portid="80"><state state="open" reason="syn-ack"/><service name="http"/></port>';

test('the addresses and names that Nmap reports reach the asset, and a host without open ports makes none', async () => {
  const { admin } = await system.newOrganization();
  const named =
    '<address addr="0A:1B:2C:3D:4E:5F" addrtype="mac"/><hostnames><hostname name="Web-01.example.com" type="PTR"/></hostnames>';
  const hosts = [hostOf('10.0.0.7', named, OPEN), hostOf('10.0.0.8', named.replace('5F', '60'), '')];
  await imported(admin, 'nmap', nmapOf(hosts.join('')));
  expect(await known(admin)).toEqual({
    '10.0.0.7': expect.objectContaining({ ...NOTHING, macs: ['0A:1B:2C:3D:4E:5F'], fqdns: ['web-01.example.com'] }),
  });
});

test('the names, addresses and UUID of Nessus and OpenVAS reach the asset', async () => {
  const { admin } = await system.newOrganization();
  const tags = {
    'host-ip': '10.0.0.7',
    'host-fqdn': 'files.example.com',
    'netbios-name': 'FILES',
    'mac-address': '0A:1B:2C:3D:4E:5F\n0A:1B:2C:3D:4E:60',
    'bios-uuid': '4c4c4544-0034-3010-8056-b4c04f4a3232',
    HOST_END: 'Mon Mar  4 10:31:12 2024',
  };
  const properties = Object.entries(tags).map(([name, text]) => `<tag name="${name}">${text}</tag>`);
  const item = '<ReportItem port="22" svc_name="ssh" protocol="tcp" severity="1" pluginID="1" pluginName="n"/>';
  const host = `<ReportHost name="files"><HostProperties>${properties.join('')}</HostProperties>${item}</ReportHost>`;
  await imported(admin, 'nessus', `<NessusClientData_v2><Report name="r">${host}</Report></NessusClientData_v2>`);
  const row = '10.0.0.9,mail.example.com,443,tcp,5.0,Medium,Weak cipher,1.3.6.1.4.1.25623.1.0.1';
  await imported(admin, 'openvas', `IP,Hostname,Port,Port Protocol,CVSS,Severity,NVT Name,NVT OID\n${row}\n`);
  expect(await known(admin)).toEqual({
    files: expect.objectContaining({
      ips: ['10.0.0.7'],
      fqdns: ['files.example.com'],
      hostnames: ['files'],
      macs: ['0A:1B:2C:3D:4E:5F', '0A:1B:2C:3D:4E:60'],
      machineIds: ['4c4c4544-0034-3010-8056-b4c04f4a3232'],
    }),
    '10.0.0.9': expect.objectContaining({ ...NOTHING, fqdns: ['mail.example.com'] }),
  });
});

test("an agent's host has the identifiers that the agent names now, beside those of other tools", async () => {
  const { admin, ...organization } = await system.newOrganization();
  const agent = await organization.machine('agent', { name: 'laptop' });
  await organization.table.modify(agents, agent.id, () => ({ machineId: '4c4c4544-0034-3010-8056-b4c04f4a3232' }));
  const cloud = { provider: 'aws', accountId: '123456789012', instanceId: 'i-0a1b2c3d4e5f60718' };
  await report(agent, { hostname: 'laptop', addresses: ['10.0.0.7', '127.0.0.1'], macs: ['0a:1b:2c:3d:4e:5f'], cloud });
  const [asset] = (await admin.ok('listAssets')).data;
  expect(asset?.identifiers).toEqual({
    ips: ['10.0.0.7'],
    macs: ['0a:1b:2c:3d:4e:5f'],
    hostnames: ['laptop'],
    fqdns: [],
    imageDigest: null,
    machineIds: ['4c4c4544-0034-3010-8056-b4c04f4a3232'],
    cloudResourceId: 'i-0a1b2c3d4e5f60718',
    agentId: null,
    serialNumber: null,
  });
  const identifiers = { ips: ['10.0.0.7', '192.0.2.1'], serialNumber: '5CG8431XYZ' };
  await admin.ok('updateAsset', { params: { id: asset?.id ?? '' }, body: { identifiers } });
  await report(agent, { hostname: 'laptop', addresses: ['10.0.0.99'], macs: ['0a:1b:2c:3d:4e:5f'], cloud });
  const later = await admin.ok('getAsset', { params: { id: asset?.id ?? '' } });
  expect(later.identifiers).toMatchObject({ ips: ['10.0.0.99', '192.0.2.1'], serialNumber: '5CG8431XYZ' });
});
