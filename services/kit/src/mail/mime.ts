import type { SendMailOptions } from 'nodemailer'
import { checkMessage } from './check.js'
import type { Mailbox, Message } from './mailer.js'

/** Checks a message and converts it for nodemailer, which encodes headers and parts. */
export function toMime(message: Message, from: Mailbox): SendMailOptions {
  checkMessage(message)
  const { to, replyTo, subject, text, html, messageId, unsubscribeUrl } = message
  return {
    from: toAddress(from),
    to: toAddress(to),
    ...(replyTo && { replyTo: toAddress(replyTo) }),
    subject,
    text,
    html,
    messageId,
    // Prevents vacation responses and bounce loops.
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

const toAddress = ({ address, name = '' }: Mailbox) => ({ address, name })
