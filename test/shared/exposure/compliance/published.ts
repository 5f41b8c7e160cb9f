/*
 * The identifiers that publishers list, so that no control is one that nobody published. Numbers alone: the texts are the publishers'.
 */

/** `V1.1` to `V1.5` for `V1: 5`. */
const numbered = (counts: Record<string, number>, between = '.', digits = 1): string[] =>
  Object.entries(counts).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, n) => `${section}${between}${String(n + 1).padStart(digits, '0')}`),
  );

/** The sections of OWASP ASVS 5.0.0, by its chapters (the CSV of github.com/OWASP/ASVS, tag v5.0.0). */
const asvs = numbered({
  V1: 5,
  V2: 4,
  V3: 7,
  V4: 4,
  V5: 4,
  V6: 8,
  V7: 6,
  V8: 4,
  V9: 2,
  V10: 7,
  V11: 7,
  V12: 3,
  V13: 4,
  V14: 3,
  V15: 4,
  V16: 5,
  V17: 3,
});

/** Annex A of ISO/IEC 27001:2022, by its four themes. */
const iso = numbered({ 'A.5': 37, 'A.6': 8, 'A.7': 14, 'A.8': 34 });

/** The Trust Services Criteria of 2017 but those of privacy. */
const soc = numbered({
  CC1: 5,
  CC2: 3,
  CC3: 4,
  CC4: 2,
  CC5: 3,
  CC6: 8,
  CC7: 5,
  CC8: 1,
  CC9: 2,
  A1: 3,
  C1: 2,
  PI1: 5,
});

/** The subcategories of NIST CSF 2.0 in the functions that scans speak of (github.com/usnistgov/oscal-content, nist.gov/CSF/v2.0). */
const nist = [
  ...numbered({ 'ID.RA': 10, 'PR.AA': 6, 'PR.PS': 6, 'PR.IR': 4 }, '-', 2),
  ...['PR.DS-01', 'PR.DS-02', 'PR.DS-10', 'PR.DS-11'],
  ...['DE.CM-01', 'DE.CM-02', 'DE.CM-03', 'DE.CM-06', 'DE.CM-09'],
];

/** The requirements of PCI DSS 4.0.1 of three numbers, by their sections. */
const pci = numbered({
  '1.1': 2,
  '1.2': 8,
  '1.3': 3,
  '1.4': 5,
  '1.5': 1,
  '2.1': 2,
  '2.2': 7,
  '2.3': 2,
  '3.1': 2,
  '3.2': 1,
  '3.3': 3,
  '3.4': 2,
  '3.5': 1,
  '3.6': 1,
  '3.7': 9,
  '4.1': 2,
  '4.2': 2,
  '5.1': 2,
  '5.2': 3,
  '5.3': 5,
  '5.4': 1,
  '6.1': 2,
  '6.2': 4,
  '6.3': 3,
  '6.4': 3,
  '6.5': 6,
  '7.1': 2,
  '7.2': 6,
  '7.3': 3,
  '8.1': 2,
  '8.2': 8,
  '8.3': 11,
  '8.4': 3,
  '8.5': 1,
  '8.6': 3,
  '10.1': 2,
  '10.2': 2,
  '10.3': 4,
  '10.4': 3,
  '10.5': 1,
  '10.6': 3,
  '10.7': 3,
  '11.1': 2,
  '11.2': 2,
  '11.3': 2,
  '11.4': 7,
  '11.5': 2,
  '11.6': 1,
});

/** The controls of the CIS Amazon Web Services Foundations Benchmark 3.0.0 (Prowler 5.46, cis_3.0_aws.json). */
const aws = numbered({ 1: 22, 2.1: 4, 2.2: 1, 2.3: 3, 2.4: 1, 3: 9, 4: 16, 5: 6 });

const topTen = Array.from({ length: 10 }, (_, n) => `A${String(n + 1).padStart(2, '0')}`);

/** By the id of the framework. Those of Kubernetes are counted from the files of kube-bench where they stand. */
export const PUBLISHED: Readonly<Record<string, readonly string[]>> = {
  'asvs-5.0.0': asvs,
  'iso-27001-2022': iso,
  'soc-2-2017': soc,
  'nist-csf-2.0': nist,
  'pci-dss-4.0.1': pci,
  'cis-aws-3.0.0': aws,
  'owasp-top-10-2021': topTen,
};
