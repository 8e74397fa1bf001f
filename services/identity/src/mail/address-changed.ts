import { type MailContent, renderMail, words } from '@figbase/kit/mail'
import type { Site } from '@figbase/kit/rpc'

/** Sent to the previous address; does not contain the new one. */
export type AddressChange = { username: string }

export function addressChangedMail(site: Site, { username }: AddressChange): MailContent {
  return renderMail(site, {
    subject: 'Your e-mail address was changed',
    paragraphs: [
      words`The account “${username}” on ${site.name} has another e-mail address from now on.`,
      'Nothing more is sent to this address, and it cannot be used to choose a new password any more.',
    ],
    notes: [
      'If it was not you, sign in and change the password and the address, or tell the administrators of this installation.',
    ],
  })
}
