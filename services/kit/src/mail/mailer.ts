import { JobFailedPermanently } from '../jobs/define.js'

/** Address and display name of a sender or recipient. */
export type Mailbox = { address: string; name?: string }

/** The content of a mail, as text and as HTML. */
export type MailContent = { subject: string; text: string; html: string }

export type Message = MailContent & {
  to: Mailbox
  replyTo?: Mailbox
  /** An http(s) URL that ends such mails, by a page and by a POST of the program that shows the mail (RFC 8058). */
  unsubscribeUrl?: string
  /** `<unique@domain>`; the same with each attempt, so that receivers can detect duplicates. */
  messageId: string
}

/** Sends messages. */
export interface Mailer extends AsyncDisposable {
  /**
   * Resolves when the message was accepted for delivery. Throws InvalidMail, MailRefused, or another error
   * after which a retry may succeed.
   */
  send(message: Message, signal?: AbortSignal): Promise<void>
}

/** A field of the message is invalid. */
export class InvalidMail extends JobFailedPermanently {
  override name = 'InvalidMail'
  constructor(
    readonly field: string,
    reason: string,
  ) {
    super(`mail ${field} ${reason}`)
  }
}

/** The mail server permanently rejected the recipient or the content. */
export class MailRefused extends JobFailedPermanently {
  override name = 'MailRefused'
}
