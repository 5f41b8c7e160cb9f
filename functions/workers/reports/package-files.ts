import { type Product, products } from '#shared/assets/inventory/product.ts';
import { START } from '#shared/platform/exports/records-file.ts';
import { VERSION } from '#shared/platform/runtime/version.ts';
import { type Counting, matchingOf } from '#shared/reporting/counting.ts';
import type { Facts } from '#shared/reporting/facts.ts';
import { each } from '#shared/reporting/records.ts';
import { vulnerabilitiesAbout } from '#shared/reporting/sections/package.ts';
import { openVexFile, statementOfVulnerability } from '#shared/vulnerabilities/vulnerability/open-vex.ts';
import { vulnerabilityListItem } from '#shared/vulnerabilities/vulnerability/record.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';

/** The software of all assets as a CycloneDX 1.6 document, component by component. */
export async function* sbomOf({ reportId, asOf, organization }: Facts, { table }: Counting): AsyncGenerator<string> {
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${reportId}`,
    version: 1,
    metadata: {
      timestamp: asOf,
      tools: { components: [{ type: 'application', name: 'Security Exposure Management', version: VERSION }] },
      component: { type: 'application', 'bom-ref': 'organization', name: organization },
    },
  };
  yield `${JSON.stringify(document).slice(0, -1)},"components":[`;
  let comma = '';
  for await (const some of each(table, products))
    for (const product of some) {
      yield `${comma}\n${JSON.stringify(componentOf(product))}`;
      comma = ',';
    }
  yield ']}\n';
}

type Listed = Pick<Product, 'id' | 'vendor' | 'product' | 'release' | 'cpe' | 'assets'>;

/** Software with a CPE is installed on hosts; other software is what packages and images have. */
const componentOf = ({ id, vendor, product, release, cpe, assets }: Listed) => ({
  type: cpe ? 'application' : 'library',
  'bom-ref': `urn:uuid:${id}`,
  name: product,
  ...(release && { version: release }),
  ...(vendor && { supplier: { name: vendor } }),
  ...(cpe && { cpe }),
  properties: [{ name: 'exposure:assets', value: String(assets) }],
});

/** The statements on the vulnerabilities that the report is about, as an OpenVEX document. */
export async function* vexOf({ reportId, asOf, maker }: Facts, counting: Counting): AsyncGenerator<string> {
  const written = { id: reportId, createdAt: asOf, createdBy: { ...counting.report.createdBy, name: maker } };
  const file = openVexFile(written, (one: Parameters<typeof vulnerabilityListItem>[0]) => [
    statementOfVulnerability(vulnerabilityListItem(one), one.acknowledgedAt),
  ]);
  const place = { ...START };
  const matching = await matchingOf(counting, 'vulnerability', vulnerabilitiesAbout(counting));
  yield file.head;
  for await (const some of each(counting.table, vulnerabilities, { matching }))
    for (const one of some) yield file.add(place, one);
  yield file.foot(place);
}
