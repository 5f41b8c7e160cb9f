/** The texts of the pages that lead into an organization. */
export const signUp = {
  title: 'Start your trial',
  lead: 'Fourteen days with everything. You get a letter with a link; nothing is made before you open it.',
  name: 'Your name',
  email: 'E-mail address',
  emailHint: 'Of your company: colleagues with the same domain join your organization later.',
  organizationName: 'Organization',
  consentLabel: 'I agree that the service keeps my name and address to give me access.',
  consentNeeded: 'Agree to the processing of your name and address: without them there is no account.',
  submit: 'Send me the link',
  checking: 'A small check of your browser keeps robots out.',
  unsolved: 'The task that keeps robots out was not solved. Send the form again.',
  notLoaded:
    'The check that keeps robots out did not load. Allow scripts of challenges.cloudflare.com, and send the form again.',
  sent: 'Look into your mailbox',
  sentLead: (email: string) =>
    `A letter to ${email} is on its way. Its link works once, for 24 hours. If your company is here already, the letter says how to join.`,
  haveAccount: 'I have an account',
  none: 'No account yet?',
  start: 'Start a trial',
  invited: 'An administrator of your company can also invite you.',
};

export const invitation = {
  title: 'Accept the invitation',
  lead: 'You join the organization that invited you. Choose how your colleagues see you.',
  name: 'Your name',
  nameHint: 'Leave it empty to keep the name in the invitation. If you have an account, its name stays.',
  submit: 'Accept and sign in',
};

export const trial = {
  title: 'Begin your trial',
  lead: 'Your organization is made now, and you are its owner.',
  withSample: 'Bring in sample data, to look around',
  submit: 'Begin the trial',
};
