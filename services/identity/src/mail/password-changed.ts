import { type MailContent, renderMail, words } from '@figbase/kit/mail'
import type { Site } from '@figbase/kit/rpc'

/** `resetUrl`: the page that requests a password reset. */
export type PasswordChange = { username: string; resetUrl: string }

export function passwordChangedMail(
  site: Site,
  { username, resetUrl }: PasswordChange,
): MailContent {
  return renderMail(site, {
    subject: 'Your password was changed',
    paragraphs: [
      words`The password of the account “${username}” on ${site.name} was changed. Whoever was signed in must sign in again.`,
      'API keys go on working: delete those that you do not need.',
    ],
    action: { label: 'It was not me: choose a new password', url: resetUrl },
    notes: ['If it was you, there is nothing to do.'],
  })
}
