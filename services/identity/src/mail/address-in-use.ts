import { type MailContent, renderMail, words } from '@figbase/kit/mail'
import type { Site } from '@figbase/kit/rpc'

/** Sent to the owner of an address that was given for another account. `resetUrl`: the page that requests a reset. */
export type AddressInUse = { username: string; resetUrl: string }

export function addressInUseMail(site: Site, { username, resetUrl }: AddressInUse): MailContent {
  return renderMail(site, {
    subject: 'You have an account already',
    paragraphs: [
      words`Somebody gave this e-mail address for another account on ${site.name}. It belongs to the account “${username}”, and stays with it.`,
      'If it was you, sign in to that account. Did you forget its password? Then choose a new one.',
    ],
    action: { label: 'Choose a new password', url: resetUrl },
    notes: ['If it was not you, there is nothing to do: nobody can use your address.'],
  })
}
