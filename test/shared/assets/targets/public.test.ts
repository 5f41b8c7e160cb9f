import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublicTarget } from '#shared/assets/targets/public.ts';
import type { TargetType } from '#shared/assets/targets/scan-target.ts';

/** Whether a target such as `host 10.0.0.1` is one of the public network. */
function isPublic(text: string): boolean {
  const [type = '', value = ''] = text.split(' ');
  return isPublicTarget({ type: type as TargetType, value, zone: null });
}

test.each([
  'host 10.0.0.1',
  'host 100.100.100.200',
  'host 127.0.0.1',
  'host 169.254.169.254',
  'host 168.63.129.16',
  'host 172.31.0.1',
  'host 192.0.0.192',
  'host 192.168.1.1',
  'host 224.0.0.1',
  'host 255.255.255.255',
  'host ::',
  'host ::1',
  'host ::7f00:1',
  'host fd00:ec2::254',
  'host fe80::1',
  'host fec0::1',
  'host ff02::1',
  'host 64:ff9b:1::a00:1',
  'host 2002:a00:1::1',
  'host 2001:0:a00:1::1',
  'cidr 10.0.0.0/7',
  'cidr 192.168.0.0/28',
  'cidr 2000::/3',
  'cidr 0.0.0.0/0',
  'host localhost',
  'host a.localhost',
  'host printer.local',
  'host metadata.google.internal',
  'host metadata',
  'host instance-data',
  'domain corp.internal',
  'domain internal',
  'domain home.arpa',
  'url http://169.254.169.254/latest/meta-data/',
  'url http://[fd00:ec2::254]/',
  'url http://metadata.google.internal/computeMetadata/v1/',
  'repository https://10.0.0.5/team/app',
  'repository ssh://git@[::1]/team/app',
  'repository git@git.local:team/app.git',
  'repository git.internal/team/app',
  'container_image localhost/app:1',
  'container_image 10.0.0.5:5000/app:1',
])('%s is no target for machines that serve many organizations: it lies in their own network', (text) => {
  expect(isPublic(text)).toBe(false);
});

test.each([
  'host 192.0.2.10',
  'host 8.8.8.8',
  'host 2606:4700::1111',
  'cidr 203.0.113.0/24',
  'host shop.example.com',
  'host local.example.com',
  'domain example.com',
  'url https://shop.example.com/internal',
  'repository https://github.com/acme/shop',
  'repository git@github.com:acme/shop.git',
  'repository acme/shop',
  'container_image acme/app:1.2',
  'container_image registry.example.com:5000/app:1.2',
  'cloud_account 123456789012',
  'application shop',
])('%s is one', (text) => {
  expect(isPublic(text)).toBe(true);
});

test('a range is a target only if each of its addresses is', () => {
  const octet = fc.nat(255);
  fc.assert(
    fc.property(octet, octet, octet, octet, fc.integer({ min: 28, max: 32 }), (a, b, c, d, prefix) => {
      const size = 2 ** (32 - prefix);
      const first = d - (d % size);
      const each = Array.from({ length: size }, (_, n) => isPublic(`host ${a}.${b}.${c}.${first + n}`));
      const range = isPublic(`cidr ${a}.${b}.${c}.${first}/${prefix}`);
      expect(range).toBe(each.every(Boolean));
    }),
    { numRuns: 500 },
  );
});
