/** The texts of the fields that choose events by a filter. */
export const eventFilter = {
  entity: 'Only while',
  entities: {
    finding: 'the finding meets',
    vulnerability: 'the vulnerability meets',
    asset: 'the asset meets',
    alert: 'the alert meets',
    incident: 'the incident meets',
    'exposed-credential': 'the exposed credential meets',
    repository: 'the repository meets',
    engagement: 'the engagement meets',
    application: 'the application meets',
  },
  filter: 'This filter',
  filterHint: 'For example severity:critical,high asset.tag:prod – events of other records come as well',
};
