import type { MailContent } from '../mailer.js'
import { renderMail } from '../render.js'
import { words } from '../words.js'

/** `resetUrl` is where a password is asked for. */
export type PasswordChange = { username: string; resetUrl: string }

export function passwordChangedMail({ username, resetUrl }: PasswordChange): MailContent {
  return renderMail({
    subject: 'Your password was changed',
    paragraphs: [
      words`The password of the account “${username}” on Figbase was changed. Whoever was signed in must sign in again.`,
      'API keys go on working: delete those that you do not need.',
    ],
    action: { label: 'It was not me: choose a new password', url: resetUrl },
    notes: ['If it was you, there is nothing to do.'],
  })
}
