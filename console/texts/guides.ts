/** The texts of the guided dialogs that bring in the first data. */
export const guides = {
  done: 'Done',
  later: 'Finish later',
  codeHost: {
    title: 'Connect a code host',
    steps: {
      account: 'Name the account',
      webhook: 'Add a webhook at the code host',
      delivery: 'Wait for the first delivery',
    },
    submit: 'Connect',
    connected: (name: string) => `${name} is connected.`,
    secretOnce: 'The secret is shown now and never again.',
    where: {
      codehost_a:
        'In GitHub, open the settings of the organization, choose Webhooks and add one. Enter both values, choose application/json, and send the events that you want to follow.',
      codehost_b:
        'In GitLab, open the settings of the group, choose Webhooks and add one. Enter the address, and the secret as the signing token, or as the secret token if there is no signing token.',
    },
    waiting: 'No delivery yet. A push or the test button at the code host sends one.',
    works: 'The first delivery is here: the connection works.',
    show: 'Show the connections',
  },
  scanner: {
    title: 'Link a scanner',
    steps: { name: 'Name the scanner', start: 'Start it with the token', linked: 'Wait until it is linked' },
    name: 'Name',
    nameHint: 'where it runs, for example: office network',
    submit: 'Create a link token',
    created: (name: string) => `The token for ${name} links one scanner.`,
    once: 'The token is shown now and never again.',
    token: 'Link token',
    command: 'Command for the reference scanner',
    commandHint:
      'Run it in a copy of this project, on the machine that scans. Scanners of your own send the token to the same address.',
    waiting: 'The scanner has not linked itself yet.',
    works: 'The scanner is linked, and asks for work.',
    show: 'Show the scanners',
  },
  example: {
    title: 'Load the example',
    lead: 'Small reports of six tools are imported as if you had dropped them, to look around.',
    undo: 'Undo their imports on the page Import when you have seen enough.',
    submit: 'Load the example',
  },
};
