/*
 * The few search words of a finding are its most specific ones. The same rules make the words of a search, so that a
 * pasted path finds its file.
 */

/** `github.com/acme/shop` is found as `shop`, `src/api/app.py:12` as `app.py`, `10.0.0.7:22/tcp` as `10.0.0.7`. */
export function lastPart(place: string): string {
  const name = place.replace(/\/(?:tcp|udp|sctp)$/, '');
  return (name.split('/').findLast((part) => part !== '') ?? name).replace(/:\d+$/, '');
}

const MAX_PARTS = 3;

/** `org.apache.logging.log4j:log4j-core` is found as a whole, as `log4j-core` and as `core`. */
export function packageWords(name: string): string[] {
  const own = name.split(/[:/@]/).findLast((part) => part !== '') ?? name;
  const parts = own.split(/[._-]/).filter((part) => /^\p{L}/u.test(part));
  return [name, own, ...parts.slice(0, MAX_PARTS)];
}

/** The packages in a title such as `CVE-2021-44228 in org.apache.logging.log4j:log4j-core 2.14.1: ...`. */
export const packagesIn = (title: string): string[] =>
  title
    .split(/\s+/)
    .filter((word) => /[^:/@][:/@][^:/@]/.test(word))
    .slice(0, 2)
    .flatMap(packageWords);

/** Tools are compared without letter case: people type `trivy` for `Trivy`. */
export const toolKey = (tool: string): string => tool.toLowerCase();

/** The host of a URL such as `https://shop.example:8443/login`. */
export const hostOf = (name: string): string | undefined =>
  /^https?:\/\/(?:[^/@?#]{0,200}@)?([^/:?#]{1,300})/i.exec(name)?.[1];

/** A search for `tainted-sql` also finds `python.flask.tainted-sql`; the `18` of `nginx-1.18` is no useful word. */
export function rulePart(ruleId: string): string {
  const last = ruleId.split(/[./]/).at(-1) ?? '';
  return /^\p{L}/u.test(last) ? last : ruleId;
}
