import { JobFailedForGood } from '../jobs/define.js'

/** Someone who gets or sends mail: `ada@example.org`, and what is shown before it. */
export type Mailbox = { address: string; name?: string }

/** What a mail says: the same as text and as HTML. */
export type MailContent = { subject: string; text: string; html: string }

export type Message = MailContent & {
  to: Mailbox
  replyTo?: Mailbox
  /** `<unique@domain>`; the same at each attempt, so that receivers can tell a repetition. */
  messageId: string
}

/** Hands messages over to whoever delivers them. */
export interface Mailer extends AsyncDisposable {
  /**
   * Resolves when the message was taken over. Throws InvalidMail, MailRefused, or another error after
   * which a later attempt may succeed. A `signal` that is aborted ends the attempt.
   */
  send(message: Message, signal?: AbortSignal): Promise<void>
}

/** The message cannot be sent as it is; `field` says which part of it. */
export class InvalidMail extends JobFailedForGood {
  override name = 'InvalidMail'
  constructor(
    readonly field: string,
    why: string,
  ) {
    super(`the mail's ${field} ${why}`)
  }
}

/** The mail server refused this recipient or this content, and would do so again. */
export class MailRefused extends JobFailedForGood {
  override name = 'MailRefused'
}
