import type { Settings } from '#shared/platform/runtime/env.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';

/** A published list of facts about vulnerabilities. */
type Feed = {
  /** The source of the feed, for answers and docs. */
  source: string;
  /** The setting that has its address. */
  setting: keyof Settings & `${string}_FEED_URL`;
  /** The publisher's address, which a deployment uses unless it names another. */
  address: string;
  /** It is asked for at this interval; a feed that did not change is not sent. */
  everySeconds: number;
};

export const feeds = {
  epss: {
    source: 'FIRST, Exploit Prediction Scoring System',
    setting: 'EPSS_FEED_URL',
    address: 'https://epss.empiricalsecurity.com/epss_scores-current.csv.gz',
    everySeconds: 6 * 3600,
  },
  kev: {
    source: 'CISA, Known Exploited Vulnerabilities Catalog',
    setting: 'KEV_FEED_URL',
    address: 'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json',
    everySeconds: 3600,
  },
  nvd: {
    source: 'NIST, National Vulnerability Database',
    setting: 'NVD_FEED_URL',
    address: 'https://nvd.nist.gov/feeds/json/cve/2.0',
    everySeconds: 900,
  },
  osv: {
    source: 'OSV, Open Source Vulnerabilities',
    setting: 'OSV_FEED_URL',
    address: 'https://osv-vulnerabilities.storage.googleapis.com',
    everySeconds: 900,
  },
} as const satisfies Record<string, Feed>;

export type FeedName = keyof typeof feeds;
export const FEED_NAMES = Object.keys(feeds) as FeedName[];
/** Feeds whose records are rows; every other feed is one packed object. */
export type RecordFeed = 'nvd' | 'osv';
export type PackedFeed = Exclude<FeedName, RecordFeed>;

/** True for the address of an excerpt for trials, such as `kev.sample.json`: it lacks nearly all vulnerabilities. */
export const isSample = (address = ''): boolean => /\.sample\.\w+$/.test(address);

export type FeedState = {
  feed: FeedName;
  /** The address that answered last. */
  address?: string;
  checkedAt: string;
  /** The validators of the last answer, for the next conditional request. */
  etag?: string | undefined;
  lastModified?: string | undefined;
  /** The object that holds the feed's content; a new content has a new object. */
  file?: string;
  /** The object of the former content: functions that read the state a moment ago still read it. */
  before?: string | undefined;
  publishedAt?: string;
  changedAt?: string;
  entries?: number;
  /** Why the last attempt changed nothing. */
  failure?: { at: string; message: string } | undefined;
  /** The moved vulnerabilities that organizations have not heard of yet, from this position of their list on. */
  telling?: { file: string; from: number } | undefined;
  /** Organizations heard that it was not read since this time, or hear it from this position of their list on. */
  silence?: { since: string; from: number | undefined } | undefined;
};

/** In the global key scope: each feed is kept once for the whole deployment. */
export const feedRows = defineRow<FeedState, { feed: string }>({
  name: 'advisory-feed',
  about: 'the state of a feed about vulnerabilities (EPSS, KEV): when it was read last, and the object that holds it',
  key: ({ feed }) => ['all', feed],
});

/** The contents of the feeds, and for a month the lists of what moved. */
export const ADVISORIES_PREFIX = 'advisories/';
export const MOVED_PREFIX = `${ADVISORIES_PREFIX}moved/`;
