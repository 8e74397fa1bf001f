import { type MailContent, type MailFrame, renderMail } from '@figbase/kit/mail'
import { textsOf } from './texts.js'

export type Invitation = {
  /** Display name. */
  inviter: string
  target: 'workspace' | 'organization'
  targetName: string
  /** Contains the token. */
  url: string
  expiresOn: Date
}

export function invitationMail(frame: MailFrame, invitation: Invitation): MailContent {
  const { inviter, target, targetName: name, url, expiresOn } = invitation
  const { t, time } = textsOf(frame.language)
  return renderMail(frame, {
    subject: t('invitation.subject', { inviter, name }),
    paragraphs: [t('invitation.what', { inviter, target, name, site: frame.site.name })],
    action: { label: t('invitation.see'), url },
    notes: [t('invitation.expires', { time: time(expiresOn) }), t('invitation.unknown')],
  })
}
