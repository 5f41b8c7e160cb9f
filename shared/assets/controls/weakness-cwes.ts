import type { Weakness } from './weakness.ts';

/**
 * The weakness of a finding by its CWE (numbers of cwe.mitre.org, version 4.16). CWEs that OWASP maps to a category of
 * its Top 10 of 2021 belong only to weaknesses of that category (owasp.org/Top10/2021); some more CWEs belong to the
 * nearest weakness.
 */
const NUMBERS: Partial<Record<Weakness, string>> = {
  access: '264 275 276 284 285 425 441 566 639 706 732 749 862 863 913 922 926 1275',
  authentication: '255 287 288 290 294 302 304 306 307 308 309 346 521 620 640 940 1216 1390 1391 1392',
  certificates: '295 297 298 299 300 599',
  crypto: '261 310 321 322 323 324 325 326 327 328 329 330 331 335 336 337 338 340 347 720 759 760 780 916 1240 1241',
  csrf: '352',
  design:
    '73 183 235 256 257 266 269 280 419 430 444 451 472 501 522 525 539 579 598 602 642 646 650 653 656 657 799 807 840 841 927 1021 1173',
  disclosure: '200 201 203 208 219 359 377 402 497 538 540 548 552 651 668',
  encryption_at_rest: '311 312 313 316',
  errors: '209 210 213 215 388 391 535 550 755',
  injection:
    '20 74 75 77 78 88 89 90 91 93 94 95 96 97 98 99 100 113 116 134 138 184 470 471 564 610 624 643 644 652 917 943 1321 1336',
  integrity: '345 353 426 427 494 502 506 565 784 829 830 915 1357',
  logging: '117 223 532 778 779',
  memory: '119 120 121 122 123 124 125 126 127 129 131 170 190 191 193 401 415 416 467 476 680 786 787 788 805 824 908',
  races: '362 363 364 366 367 421',
  redirect: '601',
  resources: '400 404 407 409 674 770 772 834 835 1050 1333',
  secrets: '259 798',
  session: '384 613',
  ssrf: '918',
  transport: '296 319 523 757 818',
  traversal: '22 23 24 27 29 35 36 59 61',
  upload: '434',
  web_hardening: '2 11 13 15 16 260 315 489 520 526 537 541 547 614 693 756 942 1004 1032 1174',
  xss: '79 80 81 83 84 85 86 87',
  xxe: '611 776 827',
};

/** Made once, at the first finding. */
let byNumber: ReadonlyMap<string, Weakness> | undefined;

function numbered(): ReadonlyMap<string, Weakness> {
  if (byNumber) return byNumber;
  const entries = Object.entries(NUMBERS) as [Weakness, string][];
  byNumber = new Map(entries.flatMap(([weakness, list]) => list.split(' ').map((number) => [number, weakness])));
  return byNumber;
}

/** @param cwe such as `CWE-79` */
export const weaknessOfCwe = (cwe: string): Weakness | undefined => numbered().get(cwe.replace(/^CWE-0{0,4}/i, ''));
