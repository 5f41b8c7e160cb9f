/** The statuses that a person may give a finding of each status, the next one first. A test compares this with the service's own table. */
export const MOVES = {
  open: ['in_progress', 'fixed', 'false_positive', 'risk_accepted', 'out_of_scope'],
  in_progress: ['fixed', 'false_positive', 'risk_accepted', 'out_of_scope', 'open'],
  fixed: ['open', 'in_progress'],
  false_positive: ['open', 'in_progress', 'risk_accepted', 'out_of_scope'],
  risk_accepted: ['open', 'in_progress', 'fixed', 'false_positive', 'out_of_scope'],
  out_of_scope: ['open', 'in_progress', 'false_positive', 'risk_accepted'],
} as const;
