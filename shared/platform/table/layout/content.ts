import { deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * The content of a record's rows: JSON, deflated (RFC 1951) with a dictionary of texts that records repeat. A finding
 * of 1.5 KB with its detail fields and its 500 bytes of contribution then takes 0.7 KB: one unit of a table row instead
 * of three. It is also one attribute to send and to read instead of twenty.
 */
export const packContent = (text: string): Uint8Array => deflateRawSync(text, { ...SMALL, dictionary: DICTIONARY });

export const contentIn = (packed: unknown): unknown =>
  JSON.parse(inflateRawSync(packed as Uint8Array, { dictionary: DICTIONARY, chunkSize: 4096 }).toString());

/**
 * For records and rows, which are short: a window of 4 KB and small buffers take half the time to set up, and leave the texts as long. A shorter
 * search for repetitions takes a quarter less of it, and makes findings 2 % longer.
 */
export const SMALL = { windowBits: 12, memLevel: 4, level: 3, chunkSize: 1024 };

/**
 * Part of the stored format: rows that were written with this text can be read with this text only, so it never changes.
 * Names and values that are frequent in findings, the collection that has most records; the most frequent are at the end.
 */
const DICTIONARY = Buffer.from(
  [
    '"kind":"api_key","kind":"machine","kind":"user","createdBy":{"kind":"system","id":"system","name":"system"}',
    '"cvssVector":"CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H","references":["https://www.',
    '"remediation":"","evidence":[{"locationDetail":{"host":"","port":443,"url":"https://","line":1,"column":1,"snippet":"',
    '"path":"src/","fingerprint":"","fingerprintVersion":1,"contentHash":""}],"description":"',
    '["dated","open:critical","severity:high","since:high",179","open:low","severity:low","since:low","open:medium",',
    '"severity:medium","since:medium",17,"status:open"],[["day","202-",{"o1":1}],["due","202-",{"2":1}],',
    '["since","202-",{"1":1}]],[["",2,6]],"',
    '","status=open","severity=high","severity=medium","asset=","task=","tool=","ruleId=","cve=CVE-202","cwe=CWE-79",',
    '"tag=CWE-","tag=security","assigneeId=","ref=main","priority>0","due>202-"],[]],{',
    '"name":"","enabled":true,"zone":null,"tags":[],"description":null,"status":"',
    '"engagementId":"01","assignee":',
    '[{"title":"","severity":"critical","severity":"high","severity":"low","severity":"medium","toolSeverity":"warning",',
    '"priority":5,"cves":["CVE-202"],"cwes":["CWE-79"],"tags":["security"],"cvssScore":7.5,"location":"src/",',
    '"ruleId":"","status":"open","reopenedCount":0,"asset":{"id":"01","type":"repository","name":"https://","zone":null},',
    '"ref":"main","tool":"","firstSeenAt":"202","dueAt":"202","scope":"","taskId":"01","createdAt":"202-","updatedAt":"202-',
  ].join(''),
);
