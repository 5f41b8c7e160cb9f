import { expect, test } from 'vitest';
import { networkOf, parseOsRelease } from '#local/reference-agent/host.ts';
import { growth, parseTraffic } from '#local/reference-agent/samples.ts';
import { managers, parseListing } from '#local/reference-agent/software.ts';

test('the name and version of a distribution are read as its os-release writes them', () => {
  const text = [
    '# a comment',
    'NAME="Red Hat \\"Enterprise\\" Linux"',
    "VERSION='9.4 (Plow)'",
    'VERSION_ID=9.4',
    'ID=rhel',
    'EMPTY=',
    'not an assignment',
  ].join('\n');
  expect(parseOsRelease(text)).toEqual({
    NAME: 'Red Hat "Enterprise" Linux',
    VERSION: '9.4 (Plow)',
    VERSION_ID: '9.4',
    ID: 'rhel',
    EMPTY: '',
  });
});

test.each([
  [
    'deb',
    'installed\tlibc6\t2.36-9+deb12u10\tamd64\tGNU Libc Maintainers\n' +
      'installed\tvim\t2:9.0.1378-2\tamd64\tDebian Vim\nconfig-files\tgone\t1.0\tall\tNobody\n',
    [
      {
        name: 'libc6',
        version: '2.36-9+deb12u10',
        vendor: 'GNU Libc Maintainers',
        purl: 'pkg:deb/os/libc6@2.36-9%2Bdeb12u10?arch=amd64&distro=os-12',
      },
      {
        name: 'vim',
        version: '2:9.0.1378-2',
        vendor: 'Debian Vim',
        purl: 'pkg:deb/os/vim@2:9.0.1378-2?arch=amd64&distro=os-12',
      },
    ],
  ],
  [
    'rpm',
    'bash\t5.2.26-3.fc40\tx86_64\tFedora Project\t(none)\nopenssl-libs\t3.2.1-2.fc40\tx86_64\t(none)\t1\n' +
      'gpg-pubkey\ta15b79cc-63d04c2c\t(none)\t(none)\t(none)\n',
    [
      {
        name: 'bash',
        version: '5.2.26-3.fc40',
        vendor: 'Fedora Project',
        purl: 'pkg:rpm/os/bash@5.2.26-3.fc40?arch=x86_64&distro=os-12',
      },
      {
        name: 'openssl-libs',
        version: '1:3.2.1-2.fc40',
        purl: 'pkg:rpm/os/openssl-libs@3.2.1-2.fc40?arch=x86_64&distro=os-12&epoch=1',
      },
    ],
  ],
  [
    'apk',
    'WARNING: opening /var/cache: No such file\nlibcrypto3-3.3.1-r3 x86_64 {openssl} (Apache-2.0) [installed]\n' +
      'py3-pip-24.0-r2 x86_64 {py3-pip} (MIT) [installed]\n',
    [
      { name: 'libcrypto3', version: '3.3.1-r3', purl: 'pkg:apk/os/libcrypto3@3.3.1-r3?arch=x86_64&distro=os-12' },
      { name: 'py3-pip', version: '24.0-r2', purl: 'pkg:apk/os/py3-pip@24.0-r2?arch=x86_64&distro=os-12' },
    ],
  ],
] as const)(
  'what %s lists is told with names, versions and package URLs by which flaws are looked up',
  (type, text, software) => {
    expect(parseListing(managers[type], text, { ID: 'os', VERSION_ID: '12' })).toEqual(software);
  },
);

test('a host is reported with the addresses at which others reach it, in a stable order', () => {
  const one = (address: string, mac: string, internal = false) => ({ address, mac, internal }) as never;
  const interfaces = [
    one('127.0.0.1', '00:00:00:00:00:00', true),
    one('10.0.0.7', '02:00:00:00:00:02'),
    one('fe80::1', '02:00:00:00:00:02'),
    one('169.254.1.1', '02:00:00:00:00:01'),
    one('10.0.0.11', '00:00:00:00:00:00'),
  ];
  const expected = { addresses: ['10.0.0.11', '10.0.0.7'], macs: ['02:00:00:00:00:01', '02:00:00:00:00:02'] };
  expect(networkOf(interfaces)).toEqual(expected);
  expect(networkOf(interfaces.toReversed())).toEqual(expected);
});

const dev = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 44805936071 11325961    0    0    0     0          0         0 44805936071 11325961    0    0    0     0       0          0
  eth0: 1000   69680    0    0    0     0          0         0  200   39827    0    0    0     0       0          0
veth12:     500       5    0    0    0     0          0         0     500       5    0    0    0     0       0          0
 wlan0:7 1 0 0 0 0 0 0 8 1 0 0 0 0 0 0
`;

test('traffic is counted once, and only with other hosts', () => {
  expect(parseTraffic(dev)).toEqual({ rxBytes: 1_007, txBytes: 208 });
});

test('rates are reported from the second measurement on, and none is invented after a restart', () => {
  const before = { busyMs: 1_000, totalMs: 10_000, traffic: { rxBytes: 100, txBytes: 50 } };
  const unknown = { cpuPercent: null, rxBytes: null, txBytes: null };
  expect(growth(undefined, before)).toEqual(unknown);
  const after = { busyMs: 1_500, totalMs: 12_000, traffic: { rxBytes: 400, txBytes: 50 } };
  expect(growth(before, after)).toEqual({ cpuPercent: 25, rxBytes: 300, txBytes: 0 });
  expect(growth(after, before)).toEqual({ cpuPercent: null, rxBytes: null, txBytes: 0 });
  expect(growth({ busyMs: 0, totalMs: 0 }, { busyMs: 0, totalMs: 0 })).toEqual(unknown);
});
