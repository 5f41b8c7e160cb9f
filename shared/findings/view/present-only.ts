/** The answer to `asOf` where no counters by day are. */
export const presentOnly = {
  asOf:
    'must be left out: these figures have no counters by day. `GET /api/v1/dashboards/overview/system/findings` and ' +
    '`.../vulnerabilities` have the figures of a day, and list those of days and months, also of an application or a tag',
};
