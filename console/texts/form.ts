/** The texts of forms, which come with the screens that have one. */
export const form = {
  working: 'Saving …',
  inZone: (zone: string) => `In the time of ${zone}.`,
  dueDay: 'Due days are days of UTC.',
  noChoice: 'There is none to choose yet.',
  once: 'This is shown once. Copy it now and keep it in a safe place.',
  copy: 'Copy',
  change: 'Change',
  changeOf: (name: string) => `Change ${name}`,
  saved: 'The change is saved.',
  noJson: (why: string) => `This is not JSON: ${why}`,
  remove: 'Delete',
  removed: 'It is deleted.',
  sureRemove: 'Delete: press again',
};
